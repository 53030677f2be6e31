{{ shop_table('customers') }}
