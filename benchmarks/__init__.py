"""What a run costs beside the hand-written dbt model and beside bare SQL: make bench."""
