{{ shop_table('orders') }}
