"""make kafka: the jars of the Kafka test, with Spark's own Ivy, into .work/kafka.

`connector` is what a user names in spark.jars.packages, beside the jars of `make setup`; `broker`
is a class path of its own, with the scala-library that pyspark has.
"""

from setup_jars import WORK, fetch, shipped_artifacts

# not always that of pyspark: some of the last versions are not whole in every repository
CONNECTOR = ["org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1"]
# the last one prints what the broker says
BROKER = ["org.apache.kafka:kafka_2.13:4.1.0", "org.slf4j:slf4j-simple:1.7.36"]
FOLDER = WORK / "kafka"

if __name__ == "__main__":
    fetch(CONNECTOR, FOLDER / "connector", shipped_artifacts(), "make kafka")
    fetch(BROKER, FOLDER / "broker", [], "make kafka")
