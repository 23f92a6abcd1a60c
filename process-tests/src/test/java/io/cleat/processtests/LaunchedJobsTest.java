package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.JobOverview;
import io.cleat.api.JobStub;
import io.cleat.api.Metrics;
import io.cleat.api.Params;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children of jobs run at their times and when somebody asks, as real tasks. */
@Timeout(240)
class LaunchedJobsTest {
    /** Tells where it runs, and has a volume that one may write at a time. */
    private static final String BACKUP = """
            job "backup" {
              type = "batch"
              periodic {
                cron             = "* * * * * * *"
                prohibit_overlap = true
              }
              group "g" {
                volume "data" {
                  type            = "csi"
                  source          = "data"
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                task "t" {
                  driver = "raw_exec"
                  volume_mount {
                    volume      = "data"
                    destination = "${NOMAD_TASK_DIR}/data"
                  }
                  config {
                    command = "/bin/sh"
                    args    = ["-c", "echo $NOMAD_JOB_PARENT_ID $NOMAD_JOB_ID >> $CLEAT_VOLUME_data/runs"]
                  }
                }
              }
            }
            """;

    private static final String CONVERT = """
            job "convert" {
              type = "batch"
              parameterized {
                payload       = "required"
                meta_required = ["from"]
                meta_optional = ["to"]
              }
              group "g" {
                task "t" {
                  driver = "raw_exec"
                  dispatch_payload {
                    file = "in/put"
                  }
                  config {
                    command = "/bin/sh"
                    args    = ["-c", "cat local/in/put > DIR/out; echo \\"[$NOMAD_META_from][$NOMAD_META_to]\\" >> DIR/out; sleep 600"]
                  }
                }
              }
            }
            """;

    @Test
    void aPeriodicJob_runsOneCopyAfterTheOther_alsoAfterTheAgentsDeath() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            String id = agent.create(Words.oneWritersDirectory("data")).ExternalID();
            Path runs = agent.data().resolve("pool/volumes/" + id + "/data/runs");
            agent.register(BACKUP);
            agent.awaits(() -> done(agent).size() >= 2, "two copies have run");
            agent.kill();
            List<String> before = Files.readAllLines(runs);
            agent.start();
            agent.awaits(() -> Files.readAllLines(runs).size() > before.size() + 1, "copies run again");
            agent.stop("backup");
            agent.awaits(() -> done(agent).size() == copies(agent).size(), "the last is done");
            List<String> ids = copies(agent).stream()
                    .map(one -> "backup " + one.ID())
                    .sorted()
                    .toList();
            assertEquals(ids, Files.readAllLines(runs).stream().sorted().toList(), "each has run once");
            assertTrue(
                    agent.client().jobs().evaluations("backup", Params.none()).body().stream()
                            .allMatch(one -> one.TriggeredBy().equals("job-deregister")),
                    "it runs nothing itself");
        }
    }

    private static List<JobStub> copies(AgentRun agent) throws Exception {
        return agent.client().jobs().list(Params.none().prefix("backup/")).body();
    }

    private static List<JobStub> done(AgentRun agent) throws Exception {
        return copies(agent).stream().filter(one -> one.Status().equals("dead")).toList();
    }

    @Test
    void aDispatchedJob_hasWhatWasSentAlong() throws Exception {
        try (AgentRun agent = AgentRun.prepareBare()) {
            agent.start();
            Path out = agent.root().resolve("out");
            agent.register(CONVERT.replace("DIR", agent.root().toString()));
            String copy = agent.client()
                    .jobs()
                    .dispatch(
                            "convert", "a\0b\n".getBytes(StandardCharsets.UTF_8), Map.of("from", "x"), 0, Params.none())
                    .body()
                    .DispatchedJobID();
            agent.running(copy);
            agent.awaits(() -> Files.exists(out) && Files.readString(out).endsWith("]\n"), "it runs");
            assertEquals("a\0b\n[x][]\n", Files.readString(out));
            assertEquals(
                    1,
                    agent.client()
                            .jobs()
                            .summary("convert", Params.none())
                            .body()
                            .Children()
                            .Running());
            String alloc = agent.client()
                    .jobs()
                    .allocations(copy, true, Params.none())
                    .body()
                    .getFirst()
                    .ID();
            tells(agent, copy, alloc);
            agent.stop(copy);
            agent.stop("convert");
            Path files = agent.data().resolve("alloc").resolve(alloc).resolve("t");
            assertTrue(Files.exists(files), "those of the newest that ended are kept");
            agent.awaits(
                    () -> {
                        // The node may have some of its end before it: then it passes it over.
                        agent.client().nodes().collect("");
                        return Files.notExists(files);
                    },
                    "its files are given up when asked");
        }
    }

    /** What an agent tells of a job that runs, and of itself, in few words and in figures. */
    private static void tells(AgentRun agent, String job, String alloc) throws Exception {
        CleatClient client = agent.client();
        assertTrue(client.agent().autopilotHealth().Healthy());
        JobOverview overview = client.jobs().statuses(Params.none().with("include_children", true)).body().stream()
                .filter(each -> each.ID().equals(job))
                .findFirst()
                .orElseThrow();
        assertEquals(alloc, overview.Allocs().getFirst().ID());
        Map<String, Double> figures = new TreeMap<>();
        for (Metrics.Figure figure : client.agent().metrics().Gauges()) {
            if (figure.Labels().getOrDefault("alloc_id", alloc).equals(alloc)) {
                figures.put(figure.Name(), figure.Value());
            }
        }
        for (String name : List.of(
                "nomad.client.allocs.memory.rss",
                "nomad.client.host.memory.total",
                "nomad.client.allocations.running",
                "nomad.nomad.job_status.running",
                "nomad.raft.appliedIndex",
                "nomad.runtime.alloc_bytes")) {
            assertTrue(figures.getOrDefault(name, 0.0) > 0, name + " is not among " + figures);
        }
    }
}
