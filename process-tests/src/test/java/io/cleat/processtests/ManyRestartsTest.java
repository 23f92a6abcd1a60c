package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.jobspec.hcl.Variables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node's agent is killed and started again and again, while workloads with a volume each come and go.
 * {@code -Dcleat.restarts=N} kills it another number of times, {@code -Dcleat.workloads=N} under another number of
 * workloads, {@code -Dcleat.seed=N} at other moments.
 */
@Timeout(1200)
class ManyRestartsTest {
    private static final int RESTARTS = Integer.getInteger("cleat.restarts", 2);
    private static final int WORKLOADS = Integer.getInteger("cleat.workloads", 10);

    /** Of them, so many stay all the time. */
    private static final int STAY = 6;

    /** How many workloads are stopped or submitted from one restart to the next. */
    private static final int CHANGES = 8;

    private final long seed = Long.getLong("cleat.seed", System.nanoTime());
    private final Random chance = new Random(seed);
    private final Set<Integer> wanted =
            new HashSet<>(IntStream.range(0, WORKLOADS).boxed().toList());
    private final Workplace place;
    private final AgentProcess server;
    private final AgentProcess node;
    private final Api api;

    ManyRestartsTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        Path servers = place.root.resolve("s");
        server = new AgentProcess(servers, List.of(), "-server");
        node = new AgentProcess(place.root.resolve("node"), List.of(), "-client", "-node=node", "-servers=" + servers);
        api = new Api(server.client());
    }

    @AfterEach
    void clear() throws Exception {
        node.close();
        server.close();
        place.clear();
    }

    @Test
    void mountsOutliveTheAgentAndNothingIsLeftOfThoseThatEnd() throws Exception {
        server.start();
        node.start();
        api.run(
                Files.readString(AgentProcess.LAUNCHER.resolveSibling("examples/plugin.nomad.hcl")),
                Variables.none()
                        .withFlag("launcher", AgentProcess.LAUNCHER.toString())
                        .withFlag("pool", place.root.resolve("pool").toString()));
        api.awaitPlugin("local", 1, 1);
        for (int i = 0; i < WORKLOADS; i++) {
            api.create(Words.oneWritersDirectory("v" + i));
            api.run(Words.numbering("w" + i, "v" + i));
        }
        awaitRunning(wanted);
        Map<String, String> staying = allocations(STAY);

        restarts();
        awaitRunning(wanted);
        if (!wasDown()) {
            assertEquals(staying, allocations(STAY), "what stays is left alone");
        }
        for (int i = 0; i < WORKLOADS; i++) {
            assertOneWriterAtATime("v" + i, wanted.contains(i));
        }
        assertEndsWithNothing();
    }

    /** Each workload that is wanted runs once, and no other runs. */
    private void awaitRunning(Set<Integer> wanted) throws Exception {
        for (int i = 0; i < WORKLOADS; i++) {
            String job = "w" + i;
            int count = wanted.contains(i) ? 1 : 0;
            Api.await(() -> running(job).size() == count, job + " runs " + count + " times");
        }
    }

    private List<AllocationStub> running(String job) throws Exception {
        return api.client().jobs().allocations(job, true, Params.none()).body().stream()
                .filter(alloc -> alloc.ClientStatus().equals("running"))
                .toList();
    }

    /** The allocations of the first so many workloads, by job. */
    private Map<String, String> allocations(int count) throws Exception {
        Map<String, String> ids = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            ids.put("w" + i, running("w" + i).getFirst().ID());
        }
        return ids;
    }

    /** A node that is not heard for 20 s is down: a slow machine may take longer for a restart. */
    private boolean wasDown() throws Exception {
        for (int i = 0; i < STAY; i++) {
            if (api.client().jobs().allocations("w" + i, true, Params.none()).body().stream()
                    .anyMatch(alloc -> alloc.DesiredDescription().contains("node is down"))) {
                return true;
            }
        }
        return false;
    }

    private void restarts() throws Exception {
        for (int i = 0; i < RESTARTS; i++) {
            int whileItLives = chance.nextInt(CHANGES + 1);
            for (int change = 0; change < CHANGES; change++) {
                if (change == whileItLives) {
                    node.kill();
                }
                change(STAY + chance.nextInt(WORKLOADS - STAY));
            }
            if (whileItLives == CHANGES) {
                awaitRunning(wanted);
                node.kill();
            }
            if (chance.nextInt(4) == 0) {
                node.launch();
                Api.await(() -> !node.words().isEmpty(), "the agent begins");
                node.kill();
            }
            node.start();
            Api.await(
                    () -> Api.status(() -> node.client().agent().health()) == 200, "the node has a link to its server");
        }
    }

    /** A workload that is wanted is stopped, another submitted again. */
    private void change(int i) throws Exception {
        if (wanted.remove(i)) {
            api.client().jobs().deregister("w" + i, false, false, Params.none());
        } else {
            api.run(Words.numbering("w" + i, "v" + i));
            wanted.add(i);
        }
    }

    private void assertOneWriterAtATime(String volume, boolean writes) throws Exception {
        Path numbers = place.root.resolve("pool/volumes/" + api.volume(volume).ExternalID() + "/data/numbers");
        int before = Files.readAllLines(numbers).size();
        if (writes) {
            Api.await(() -> Files.readAllLines(numbers).size() > before, volume + " is written");
        }
        List<Integer> found =
                Files.readAllLines(numbers).stream().map(Integer::valueOf).toList();
        assertEquals(
                IntStream.rangeClosed(1, found.size()).boxed().toList(),
                found,
                () -> "seed " + seed + ", volume " + volume);
    }

    private void assertEndsWithNothing() throws Exception {
        for (int i = 0; i < WORKLOADS; i++) {
            api.client().jobs().deregister("w" + i, true, false, Params.none());
        }
        for (int i = 0; i < WORKLOADS; i++) {
            api.delete("v" + i);
        }
        api.stop("local-plugin");
        api.client().agent().collectGarbage();
        place.awaitNothingIsKept(node.data());
        node.end();
        server.end();
        Workplace.assertNothingIsKeptInPool(place.root.resolve("pool"));
        place.assertNothingIsLeft();
    }
}
