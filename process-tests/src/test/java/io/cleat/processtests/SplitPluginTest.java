package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPlugin;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.Params;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The bundled plugin in its two halves: the controller on one of two machines, the node service on
 * both, as the examples start them. The machines share the pool's directory and nothing else; the
 * plugin calls them by names of its own.
 */
@Timeout(600)
class SplitPluginTest {
    private static final String MANY = "multi-node-multi-writer";
    private static final String READERS = "multi-node-reader-only";
    private static final String ONE_WRITER = "multi-node-single-writer";
    private static final String ALONE = "single-node-writer";

    /** Adds to a file of its own. */
    private static final String BEAT =
            "while :; do echo beat >>$CLEAT_VOLUME_data/$NOMAD_ALLOC_ID; sleep 0.1; done";

    /** Goes on counting where the last writer ended: two at a time would leave a wrong number. */
    private static final String COUNT =
            "n=$(tail -n 1 $CLEAT_VOLUME_data/numbers 2>/dev/null || echo 0); while :; do"
                    + " n=$((n + 1)); echo $n >>$CLEAT_VOLUME_data/numbers; sleep 0.1; done";

    /** Tries to write once; says the last number again and again. */
    private static final String LOOK =
            "touch $CLEAT_VOLUME_data/mine 2>/dev/null && echo wrote; while :; do"
                    + " tail -n 1 $CLEAT_VOLUME_data/numbers 2>/dev/null || echo none; sleep 0.1; done";

    private final Workplace place;
    private final Path pool;
    private final AgentProcess server;
    private final NodeMachine one;
    private final NodeMachine two;
    private final List<NodeMachine> machines;
    private final Api api;

    SplitPluginTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: namespaces and mounts need root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        pool = place.root.resolve("pool");
        Path servers = place.root.resolve("s");
        server = new AgentProcess(servers, List.of(), "-server");
        one = new NodeMachine(place.root, "one", servers);
        two = new NodeMachine(place.root, "two", servers);
        machines = List.of(one, two);
        api = new Api(server.client());
    }

    @AfterEach
    void clear() throws Exception {
        machines.forEach(NodeMachine::close);
        server.close();
        place.clear();
    }

    private void start() throws Exception {
        server.start();
        for (NodeMachine machine : machines) {
            machine.boot();
            machine.agent().start();
            api.awaitNode(machine.name(), "ready");
        }
        assertNotEquals(one.network(), two.network());
        Variables variables =
                Variables.none()
                        .withFlag("launcher", AgentProcess.LAUNCHER.toString())
                        .withFlag("pool", pool.toString());
        api.run(example("split-plugin-controller"), variables);
        api.run(example("split-plugin-node"), variables);
        api.awaitPlugin("local", 1, 2);
        CsiPlugin plugin = api.plugin("local");
        for (NodeMachine machine : machines) {
            assertEquals(
                    provided(machine),
                    requireNonNull(requireNonNull(plugin.Nodes().get(id(machine))).NodeInfo())
                            .ID());
        }
    }

    /** With ids of the provider's own for the nodes. */
    private static String example(String name) throws IOException {
        return Files.readString(
                        AgentProcess.LAUNCHER.resolveSibling("examples/" + name + ".nomad.hcl"))
                .replace("${node.unique.id}", "at-${node.unique.name}");
    }

    private static String provided(NodeMachine machine) {
        return "at-" + machine.name();
    }

    private String id(NodeMachine machine) throws Exception {
        return api.node(machine.name()).ID();
    }

    private static String volume(String id, String mode) {
        return """
        id        = "%1$s"
        name      = "%1$s"
        type      = "csi"
        plugin_id = "local"
        capability {
          access_mode     = "%2$s"
          attachment_mode = "file-system"
        }
        parameters {
          type = "directory"
        }
        """
                .formatted(id, mode);
    }

    private static String job(
            String id, String type, String volume, String mode, boolean reads, String script) {
        return """
        job "%1$s" {
          type = "%2$s"
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "%3$s"
              access_mode     = "%4$s"
              attachment_mode = "file-system"
              read_only       = %5$s
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "%6$s"]
              }
              volume_mount {
                volume      = "data"
                destination = "data"
                read_only   = %5$s
              }
              resources {
                cpu    = 20
                memory = 16
              }
            }
          }
        }
        """
                .formatted(id, type, volume, mode, reads, script);
    }

    /** Where the plugin has what is in a volume. */
    private Path data(String volume) throws Exception {
        return pool.resolve("volumes").resolve(api.volume(volume).ExternalID()).resolve("data");
    }

    private static void assertGrows(Path file) throws Exception {
        long before = Files.exists(file) ? Files.size(file) : 0;
        Api.await(() -> Files.exists(file) && Files.size(file) > before, file + " grows");
    }

    private List<Integer> numbers(String volume) throws Exception {
        return Files.readAllLines(data(volume).resolve("numbers")).stream()
                .map(Integer::valueOf)
                .toList();
    }

    /** Each number is one more than the one before: there never were two writers. */
    private void assertOneWriterAtATime(String volume) throws Exception {
        List<Integer> numbers = numbers(volume);
        assertEquals(IntStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers);
    }

    @Test
    void bothNodesShareVolumesThroughTheOneController() throws Exception {
        start();
        manyWriters();
        manyReaders();
        oneWriterAndManyReaders();
        assertEndsWithNothing(List.of("many", "readers", "one"), "beat", "look", "see", "next");
    }

    private void manyWriters() throws Exception {
        api.create(volume("many", MANY));
        api.run(job("beat", "system", "many", MANY, false, BEAT));
        for (NodeMachine machine : machines) {
            AllocationStub alloc = api.awaitRunning("beat", machine.name());
            assertGrows(data("many").resolve(alloc.ID()));
            assertTrue(volumes(machine, alloc).stream().anyMatch(line -> line.contains(" rw,")));
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "many"));
    }

    private void manyReaders() throws Exception {
        api.create(volume("readers", READERS));
        Files.writeString(data("readers").resolve("numbers"), "4711\n");
        api.run(job("look", "system", "readers", READERS, true, LOOK));
        for (NodeMachine machine : machines) {
            assertSeesAndDoesNotWrite("look", machine, "4711"::equals);
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "readers"));
    }

    private void assertSeesAndDoesNotWrite(String job, NodeMachine machine, Predicate<String> what)
            throws Exception {
        AllocationStub alloc = api.awaitRunning(job, machine.name());
        Api.await(
                () -> api.printed(alloc.ID(), "t").lines().anyMatch(what),
                job + " sees on " + machine + " what is written");
        assertTrue(!api.printed(alloc.ID(), "t").contains("wrote"));
        assertEquals(List.of(), rightsBesides("ro", volumes(machine, alloc)));
    }

    /** Its mounts, but for the one that its directory is. */
    private static List<String> volumes(NodeMachine machine, AllocationStub alloc)
            throws Exception {
        return machine.mounts(alloc.ID()).stream()
                .filter(line -> !line.split(" ", -1)[4].endsWith("/alloc/" + alloc.ID()))
                .toList();
    }

    private static List<String> rightsBesides(String right, List<String> mounts) {
        return mounts.stream().filter(line -> !line.split(" ", -1)[5].startsWith(right)).toList();
    }

    /** CSI attaches a node read-only or for writing, and changes that only by detaching it. */
    private void oneWriterAndManyReaders() throws Exception {
        api.create(volume("one", ONE_WRITER));
        api.run(job("see", "system", "one", ONE_WRITER, true, LOOK));
        for (NodeMachine machine : machines) {
            assertSeesAndDoesNotWrite("see", machine, "none"::equals);
        }
        api.run(job("count", "service", "one", ONE_WRITER, false, COUNT));
        Api.await(
                () -> api.notPlaced("count").contains("its readers here are attached read-only"),
                "the writer waits for the readers");
        api.stop("see");
        Api.await(() -> place("count").isPresent(), "the writer is placed by itself");
        NodeMachine writes = place("count").orElseThrow();
        assertGrows(data("one").resolve("numbers"));

        api.run(job("see", "system", "one", ONE_WRITER, true, LOOK));
        for (NodeMachine machine : machines) {
            int last = numbers("one").getLast();
            assertSeesAndDoesNotWrite("see", machine, line -> Integer.parseInt(line) > last);
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "one"));

        api.run(job("next", "service", "one", ONE_WRITER, false, COUNT));
        Api.await(
                () -> api.notPlaced("next").contains("has exhausted its available writer claims"),
                "the next writer waits for the first");
        api.stop("count");
        api.awaitRunning("next", writes.name());
        assertGrows(data("one").resolve("numbers"));
        assertOneWriterAtATime("one");
    }

    /** The machine on which the only running allocation of a job is. */
    private Optional<NodeMachine> place(String job) throws Exception {
        List<String> names =
                api.client().jobs().allocations(job, true, Params.none()).body().stream()
                        .filter(alloc -> alloc.ClientStatus().equals("running"))
                        .map(AllocationStub::NodeName)
                        .toList();
        return machines.stream().filter(each -> names.equals(List.of(each.name()))).findFirst();
    }

    @Test
    void aNodeGoesAwayThenTheControllersMachineAndBothComeBack() throws Exception {
        start();
        NodeMachine controls = controls();
        NodeMachine other = controls == one ? two : one;
        api.create(volume("many", MANY));
        api.run(job("beat", "system", "many", MANY, false, BEAT));
        api.create(volume("alone", ALONE));
        takesNew(controls, false);
        api.run(job("count", "service", "alone", ALONE, false, COUNT));
        api.awaitRunning("count", other.name());
        takesNew(controls, true);
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));

        anAgentDiesAndItsWorkloadGoesOn(controls, other);
        aMachineDiesAndTheControllerIsPlacedElsewhere(controls, other);
        assertOneWriterAtATime("alone");
        assertEndsWithNothing(List.of("many", "alone"), "beat", "count");
    }

    private NodeMachine controls() throws Exception {
        List<String> nodes =
                api.plugin("local").Controllers().entrySet().stream()
                        .filter(node -> node.getValue().Healthy())
                        .map(Map.Entry::getKey)
                        .toList();
        assertEquals(1, nodes.size());
        return id(one).equals(nodes.getFirst()) ? one : two;
    }

    private void takesNew(NodeMachine machine, boolean eligible) throws Exception {
        api.client()
                .nodes()
                .eligibility(
                        new NodeEligibilityRequest(
                                eligible ? "eligible" : "ineligible", id(machine)),
                        Params.none());
    }

    private void anAgentDiesAndItsWorkloadGoesOn(NodeMachine controls, NodeMachine other)
            throws Exception {
        other.agent().kill();
        api.awaitNode(other.name(), "down");
        api.awaitPlugin("local", 1, 1);
        awaitReplacementThatWaits(controls, other);
        assertGrows(data("alone").resolve("numbers"));
        aVolumeComesAndGoes(controls);
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));

        other.agent().start();
        api.awaitRunning("count", controls.name());
        assertGrows(data("alone").resolve("numbers"));
        assertEquals(Set.of(provided(controls)), api.attachedTo("local", "alone"));
        api.awaitPlugin("local", 1, 2);
        awaitBeatsOnBoth();
    }

    private void aMachineDiesAndTheControllerIsPlacedElsewhere(
            NodeMachine controls, NodeMachine other) throws Exception {
        controls.powerOff();
        api.awaitNode(controls.name(), "down");
        api.awaitPlugin("local", 1, 1);
        assertEquals(other, controls());
        awaitReplacementThatWaits(other, controls);
        aVolumeComesAndGoes(other);
        assertEquals(Set.of(provided(controls)), api.attachedTo("local", "alone"));

        controls.boot();
        controls.agent().start();
        api.awaitRunning("count", other.name());
        assertGrows(data("alone").resolve("numbers"));
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));
        api.awaitPlugin("local", 1, 2);
        awaitBeatsOnBoth();
    }

    /** No proof, no grant: it is placed, and not started. */
    private void awaitReplacementThatWaits(NodeMachine where, NodeMachine former) throws Exception {
        Api.await(
                () ->
                        api.client().volumes().why("alone", Params.none()).body().Claims().stream()
                                .anyMatch(
                                        claim ->
                                                claim.NodeName().equals(where.name())
                                                        && claim.State().equals("waiting")),
                "the next writer waits on " + where);
        String why = api.why("alone");
        assertTrue(why.contains("has booted"), why);
        assertTrue(why.contains(id(former)) || why.contains(former.name()), why);
        assertEquals(Optional.empty(), place("count").filter(where::equals));
    }

    /** Created, attached, written, detached and deleted on a node. */
    private void aVolumeComesAndGoes(NodeMachine machine) throws Exception {
        api.create(volume("brief", ALONE));
        api.run(job("brief", "service", "brief", ALONE, false, COUNT));
        api.awaitRunning("brief", machine.name());
        assertGrows(data("brief").resolve("numbers"));
        assertEquals(Set.of(provided(machine)), api.attachedTo("local", "brief"));
        api.stop("brief");
        api.delete("brief");
    }

    private void awaitBeatsOnBoth() throws Exception {
        for (NodeMachine machine : machines) {
            AllocationStub alloc = api.awaitRunning("beat", machine.name());
            assertGrows(data("many").resolve(alloc.ID()));
        }
    }

    /** Claims, mounts, loops, directories, sockets and processes: none. */
    private void assertEndsWithNothing(List<String> volumes, String... jobs) throws Exception {
        for (String job : jobs) {
            api.stop(job);
        }
        for (String volume : volumes) {
            api.delete(volume);
        }
        api.stop("local-node");
        api.stop("local-controller");
        api.client().agent().collectGarbage();
        for (NodeMachine machine : machines) {
            place.awaitNothingIsKept(machine.agent().data());
            machine.agent().end();
            assertEquals(List.of(), machine.mounts(place.root.toString()));
            machine.powerOff();
        }
        server.end();
        Workplace.assertNothingIsKeptInPool(pool);
        place.assertNothingIsLeft();
    }
}
