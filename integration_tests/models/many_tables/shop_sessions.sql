{{ shop_table('sessions') }}
