package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Edit;
import io.cleat.api.JobStub;
import io.cleat.api.Params;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.fuzz.requests.Attack;
import io.cleat.fuzz.requests.Battery;
import io.cleat.fuzz.requests.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each route with each kind of damage, against one agent beside a running workload. {@code -Dcleat.requests=N} sends
 * another number of them, {@code -Dcleat.seed=N} others.
 */
@Timeout(3600)
class HostileRequestsTest {
    private static final int REQUESTS = Integer.getInteger("cleat.requests", 5_000);

    /** What stays after all that was stored is gone: caches, pools, what the garbage timer keeps. */
    private static final long MOST_MORE = 48L << 20;

    private static final Path SAVED =
            Path.of(System.getProperty("cleat.root", "..")).resolve("build/fuzz/battery");

    private final long seed = Long.getLong("cleat.seed", System.nanoTime());

    private static String job(String name, String script) {
        return """
        job "%s" {
          type = "service"
          group "g" {
            restart {
              attempts = 100
              interval = "10m"
              delay    = "1s"
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "%s"]
              }
              resources {
                cpu    = 100
                memory = 16
              }
              logs {
                max_files     = 1
                max_file_size = 1
              }
            }
          }
        }
        """.formatted(name, script);
    }

    @Test
    void anAgentOutlivesEveryRequest_andItsWorkloadGoesOn() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            Path numbers = agent.root().resolve("numbers");
            agent.register(job("counter", "n=0; while :; do n=$((n + 1)); echo $n >>" + numbers + "; sleep 0.1; done"));
            agent.register(job("victim", "while :; do sleep 1; done"));
            AllocationStub counter = agent.running("counter");
            AllocationStub victim = agent.running("victim");
            agent.create(Words.directory("ordinary"));
            agent.awaits(() -> count(numbers) > 3, "the workload counts");
            ProcessHandle began = agent.handle();
            long heap = Footprint.heap(began);
            long counted = count(numbers);

            Attackers attackers = new Attackers(agent.data().resolve("http.sock"), SAVED, began::isAlive);
            List<Attack> battery = new Battery(seed, ids(agent, victim)).requests(REQUESTS);
            assertEquals(REQUESTS, battery.size(), "the routes do not give so many");
            long begin = System.nanoTime();
            try (SlowClients slow = new SlowClients(agent.data().resolve("http.sock"))) {
                slow.begin();
                attackers.send(battery);
            }
            System.out.printf(
                    "hostile requests: %d in %d s, seed %d: %s%n",
                    battery.size(),
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin),
                    seed,
                    attackers.figures());

            // One that is about to end still is alive for a moment.
            began.onExit().completeOnTimeout(began, 2, TimeUnit.SECONDS).get();
            assertTrue(began.isAlive(), () -> said("the agent ended; the last that were sent are", attackers, agent));
            assertEquals(List.of(), attackers.failures(), () -> "seed " + seed);
            assertEquals(Map.of(), attackers.internal(), () -> "seed " + seed);
            assertTrue(count(numbers) > counted, "the workload stands still");
            assertEquals(counter.ID(), agent.running("counter").ID(), "the workload was moved");

            Set<String> stored = stored(agent.client());
            agent.kill();
            agent.start();
            assertEquals(stored, stored(agent.client()), "what was stored reads back");
            assertGapless(numbers);
            assertOrdinaryWorkGoesOn(agent);
            remove(agent);
            long more = Footprint.heap(agent.handle()) - heap;
            assertTrue(more < MOST_MORE, more + " bytes of the heap do not return");
        }
    }

    private String said(String what, Attackers attackers, AgentRun agent) {
        try {
            String words = agent.printed();
            return what
                    + " (seed "
                    + seed
                    + "):\n"
                    + String.join("\n", attackers.last())
                    + "\n"
                    + words.substring(Math.max(0, words.length() - 6_000));
        } catch (IOException unsaved) {
            return what + " (seed " + seed + "), and a request could not be saved: " + unsaved;
        }
    }

    private static Ids ids(AgentRun agent, AllocationStub victim) throws Exception {
        CleatClient client = agent.client();
        String deployment = client.jobs().deployments("victim", true, Params.none()).body().stream()
                .map(one -> one.ID())
                .findFirst()
                .orElse("none");
        return new Ids("hostile", "hostile-volume", victim.ID(), victim.EvalID(), deployment, "local", victim.NodeID());
    }

    private static long count(Path numbers) throws IOException {
        return Files.exists(numbers) ? Files.readAllLines(numbers).size() : 0;
    }

    /** From one on, each number once. */
    private static void assertGapless(Path numbers) throws IOException {
        List<String> lines = Files.readAllLines(numbers);
        List<String> wanted =
                IntStream.rangeClosed(1, lines.size()).mapToObj(String::valueOf).toList();
        assertEquals(wanted, lines);
    }

    /** Each job and volume that is listed can be read, too. */
    private static Set<String> stored(CleatClient client) throws Exception {
        Set<String> all = new TreeSet<>();
        for (JobStub job : client.jobs().list(Params.none().namespace("*")).body()) {
            Params in = Params.none().namespace(job.Namespace());
            assertEquals(job.ID(), client.jobs().get(job.ID(), in).body().ID());
            client.jobs().versions(job.ID(), true, in);
            all.add("job " + job.Namespace() + " " + job.ID());
        }
        for (CsiVolumeStub volume : volumes(client)) {
            Params in = Params.none().namespace(volume.Namespace());
            assertEquals(
                    volume.ID(), client.volumes().get(volume.ID(), in).body().ID());
            client.volumes().why(volume.ID(), in);
            all.add("volume " + volume.Namespace() + " " + volume.ID());
        }
        return all;
    }

    private static List<CsiVolumeStub> volumes(CleatClient client) throws Exception {
        return client.volumes()
                .list(Params.none().namespace("*").with("type", "csi"))
                .body();
    }

    /** A request that was in order may have kept jobs out, or evaluations waiting, as an operator may. */
    private static void letWorkIn(AgentRun agent) throws Exception {
        SchedulerConfiguration said = agent.client().agent().scheduler().SchedulerConfig();
        SchedulerConfiguration open = Edit.of(said)
                .set(SchedulerConfiguration::RejectJobRegistration, false)
                .set(SchedulerConfiguration::PauseEvalBroker, false)
                .done();
        assertTrue(
                agent.client().agent().setScheduler(open, OptionalLong.empty()).Updated());
    }

    private static void assertOrdinaryWorkGoesOn(AgentRun agent) throws Exception {
        letWorkIn(agent);
        // The volume of before may have been given other capabilities, by requests that were in
        // order.
        agent.create(Words.oneWritersDirectory("fresh"));
        agent.register(Words.counting("after", "fresh"));
        try {
            assertEquals("running", agent.running("after").ClientStatus());
        } catch (AssertionError late) {
            CleatClient client = agent.client();
            throw new AssertionError(
                    "an ordinary job does not run: "
                            + client.jobs().evaluations("after", Params.none()).body()
                            + client.jobs()
                                    .allocations("after", true, Params.none())
                                    .body()
                            + client.volumes().why("fresh", Params.none()).body()
                            + client.nodes().list(Params.none()).body(),
                    late);
        }
    }

    private static void remove(AgentRun agent) throws Exception {
        CleatClient client = agent.client();
        for (JobStub job : client.jobs().list(Params.none().namespace("*")).body()) {
            if (!job.ID().equals("local-plugin")) {
                Params in = Params.none().namespace(job.Namespace());
                client.jobs().deregister(job.ID(), true, true, in);
            }
        }
        for (CsiVolumeStub volume : volumes(client)) {
            Params in = Params.none().namespace(volume.Namespace());
            agent.awaits(
                    () -> Api.status(() -> client.volumes().deregister(volume.ID(), true, in)) == 200,
                    "volume " + volume.ID() + " is deregistered");
        }
        assertEquals("", volumes(client).stream().map(CsiVolumeStub::ID).collect(Collectors.joining(", ")));
    }
}
