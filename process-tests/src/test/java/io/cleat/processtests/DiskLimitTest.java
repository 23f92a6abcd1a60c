package io.cleat.processtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.api.TaskEvent;
import io.cleat.api.TaskState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that keep more on disk than their group may, beside one that does not. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiskLimitTest {
    private static final String EXCEEDED = "Disk Resources Exceeded";

    /** Where a task may write, whichever driver runs it. */
    private static final String PLACES = "if [ -d /local ]; then l=/local a=/alloc/data t=/tmp;"
            + " else l=$NOMAD_TASK_DIR a=$NOMAD_ALLOC_DIR/data t=$NOMAD_TASK_DIR/../tmp; fi;";

    /** Packs a shell of this machine as an image. */
    private static final String IMAGE = """
            set -e
            tar -chf layer.tar --hard-dereference $(for p in /bin/sh /usr/bin/head /bin/sleep
              do echo $p; ldd $p | grep -o '/[^ ]*'; done | sort -u)
            printf '{"os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
              $(sha256sum layer.tar | cut -d' ' -f1) > config.json
            echo '[{"Config":"config.json","RepoTags":["t:1"],"Layers":["layer.tar"]}]' > manifest.json
            tar -cf image.tar manifest.json config.json layer.tar
            """;

    private static String image(Path directory) throws Exception {
        Process packing = new ProcessBuilder("sh", "-c", IMAGE)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String words = new String(packing.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, packing.waitFor(), words);
        return "image = \"" + directory.resolve("image.tar") + "\"";
    }

    /** A group with a disk of 10 MiB; a second task sleeps. */
    private static String job(String name, String driver, String script) {
        return group(
                name,
                task("t", driver, PLACES + script + "; exec sleep 600"),
                task("beside", driver, "exec sleep 600"));
    }

    private static String group(String name, String task, String beside) {
        return """
        job "%s" {
          group "g" {
            ephemeral_disk {
              size = 10
            }
            restart {
              attempts = 3
              delay    = "1s"
            }
            reschedule {
              attempts  = 0
              unlimited = false
            }
            shutdown_delay = "10m"
            %s
            %s
          }
        }
        """.formatted(name, task, beside);
    }

    private static String task(String name, String driver, String script) {
        return task(name, driver, "", script);
    }

    /** @param image what else its block says */
    private static String task(String name, String driver, String image, String script) {
        return """
        task "%s" {
          driver = "%s"
          config {
            %s
            command = "/bin/sh"
            args    = ["-c", "%s"]
          }
          kill_timeout = "1s"
          logs {
            max_files     = 1
            max_file_size = 1
          }
          resources {
            cpu    = 500
            memory = 64
          }
        }
        """.formatted(name, driver, image, script);
    }

    /** One after the other has it. */
    private final AgentRun agent;

    DiskLimitTest() throws Exception {
        agent = AgentRun.prepareBare();
    }

    @BeforeAll
    void start() throws Exception {
        agent.start();
    }

    @AfterAll
    void clear() {
        agent.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw_exec", "exec"})
    void whoKeepsTooMuchFails_andWhoLiesBesideGoesOn(String driver) throws Exception {
        Api.requireDriver(agent.client(), driver);
        String modest = "modest-" + driver;
        String large = "large-" + driver;
        // Of a file with holes only what is written counts; a little is allowed.
        agent.register(job(modest, driver, "truncate -s 4G $l/sparse; head -c 4000000 /dev/zero >$a/some"));
        AllocationStub goesOn = agent.running(modest);
        agent.register(job(large, driver, "for p in $l $a $t; do head -c 20000000 /dev/zero >$p/large; done"));
        Allocation failed = failed(large);
        for (String task : List.of("t", "beside")) {
            assertTrue(exceeded(failed, task).contains(" MiB beside its logs"), task);
            assertTrue(exceeded(failed, task).contains("room for 10 MiB"), task);
            assertTrue(exceeded(failed, task).contains("ephemeral_disk { size = "), task);
        }
        assertEquals(exceeded(failed, "t"), failed.ClientDescription());
        assertEquals("running", agent.running(modest).ClientStatus());
        assertEquals(goesOn.ID(), agent.running(modest).ID());
        if (driver.equals("exec")) {
            whatIsWrittenIntoAnImageCounts();
        }
        for (String job : List.of(modest, large)) {
            agent.stop(job);
        }
    }

    private void whatIsWrittenIntoAnImageCounts() throws Exception {
        String fill = "/usr/bin/head -c 20000000 /dev/zero >/usr/large; exec /bin/sleep 600";
        String ofImage = task("t", "exec", image(agent.root()), fill).replaceFirst("config", "user = \"0\"\n  config");
        agent.register(group("imaged", ofImage, task("beside", "exec", "exec sleep 600")));
        Allocation imaged = failed("imaged");
        for (String task : List.of("t", "beside")) {
            assertTrue(exceeded(imaged, task).contains("room for 10 MiB"), task);
        }
        agent.stop("imaged");
    }

    @Test
    void whoKeepsTooManyFilesFails() throws Exception {
        agent.register(
                // Far beyond: what grows is measured sooner than what rests near its limit.
                job("many", "raw_exec", "mkdir $t/d; cd $t/d; seq 130000 | xargs mkfifo"));
        Allocation many = failed("many");
        for (String task : List.of("t", "beside")) {
            assertTrue(exceeded(many, task).contains("room for 100000 of them"), task);
        }
        agent.stop("many");
    }

    private Allocation failed(String job) throws Exception {
        Api.await(
                () -> agent.client().jobs().allocations(job, true, Params.none()).body().stream()
                        .anyMatch(one -> one.ClientStatus().equals("failed")),
                "the allocation of " + job + " fails");
        List<AllocationStub> all =
                agent.client().jobs().allocations(job, true, Params.none()).body();
        assertEquals(1, all.size(), "it is not rescheduled, as its job says");
        return agent.client()
                .allocations()
                .get(all.getFirst().ID(), Params.none())
                .body();
    }

    private static String exceeded(Allocation alloc, String task) {
        Map<String, TaskState> states = requireNonNull(alloc.TaskStates());
        TaskState state = requireNonNull(states.get(task));
        TaskEvent event = requireNonNull(state.Events()).stream()
                .filter(one -> one.Type().equals(EXCEEDED))
                .findFirst()
                .orElseThrow(() -> new AssertionError(state));
        assertEquals(10 << 20, event.DiskLimit());
        assertEquals(0, state.Restarts());
        return event.DisplayMessage();
    }
}
