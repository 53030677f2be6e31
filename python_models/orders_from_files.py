"""The table that change events in JSON files describe: one line an event, files are only added."""

FOLDER = "/data/orders"
SCHEMA = "op string, lsn bigint, order_id bigint, status string, amount decimal(10, 2)"


def model(dbt, session):
    dbt.config(
        materialized="changelog_stream",
        function="from_changelog",
        unique_key="order_id",
        sequence_by="lsn",
        op_mapping={"c, r": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"},
    )
    # a line that does not parse ends the stream; by default it would be a row of NULLs
    reader = session.readStream.schema(SCHEMA).option("mode", "FAILFAST")
    # at most 100 files per micro-batch
    return reader.option("maxFilesPerTrigger", 100).json(FOLDER)
