package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Job;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobValidateRequest;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.WriteQuery;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job asks for that no node has -> what who sent it is told. */
final class JobWarningsTest {
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static Job job(ServerCluster cluster, String driver, String pool) throws Exception {
        String text = """
                job "a" {
                  node_pool = "%s"
                  group "g" {
                    task "t" {
                      driver = "%s"
                      config { command = "/bin/true" }
                    }
                  }
                }
                """;
        return cluster.jobDrafts().parse(new JobParseRequest(true, text.formatted(pool, driver), ""));
    }

    /** It was taken without a word, and its evaluation was blocked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raw_exec | default | ''",
                "lxc | default | no node has the task driver \"lxc\": its groups wait for one that"
                        + " has; nodes here have exec, mock_driver, raw_exec",
                "raw_exec | gpu | no node is in node pool \"gpu\": the job waits for one, which is"
                        + " started with -node-pool=gpu"
            })
    void validatingAndPlanning(String driver, String pool, String warning) throws Exception {
        SampleCluster sample = SampleCluster.start().node();
        try (Intake intake = Intake.over(sample.state())) {
            ServerCluster cluster = intake.cluster();
            Job job = job(cluster, driver, pool);
            assertEquals(
                    warning,
                    cluster.jobDrafts()
                            .validate(WRITE, new JobValidateRequest(job))
                            .Warnings());
            assertEquals(
                    warning,
                    cluster.jobDrafts()
                            .plan(WRITE, "a", new JobPlanRequest(false, job, false))
                            .body()
                            .Warnings());
        }
    }

    @ParameterizedTest
    @CsvSource("lxc")
    void withoutAnyNode_nothingIsKnownOfDrivers(String driver) throws Exception {
        ServerCluster cluster = SampleCluster.start().cluster();
        Job job = job(cluster, driver, "default");
        assertEquals(
                "",
                cluster.jobDrafts().validate(WRITE, new JobValidateRequest(job)).Warnings());
    }
}
