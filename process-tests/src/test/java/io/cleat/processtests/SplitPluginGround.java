package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPlugin;
import io.cleat.api.Params;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;

/**
 * The bundled plugin in its two halves: the controller on one of two machines, the node service on both, as the
 * examples start them. The machines share the pool's directory and nothing else; the plugin calls them by names of its
 * own.
 */
@Timeout(600)
abstract class SplitPluginGround {
    static final String MANY = "multi-node-multi-writer";

    /** Adds to a file of its own. */
    static final String BEAT = "while :; do echo beat >>$CLEAT_VOLUME_data/$NOMAD_ALLOC_ID; sleep 0.1; done";

    /** Goes on counting where the last writer ended: two at a time would leave a wrong number. */
    static final String COUNT = "n=$(tail -n 1 $CLEAT_VOLUME_data/numbers 2>/dev/null || echo 0); while :; do"
            + " n=$((n + 1)); echo $n >>$CLEAT_VOLUME_data/numbers; sleep 0.1; done";

    final Workplace place;
    final Path pool;
    final AgentProcess server;
    final NodeMachine one;
    final NodeMachine two;
    final List<NodeMachine> machines;
    final Api api;

    SplitPluginGround() throws Exception {
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
    final void clear() throws Exception {
        machines.forEach(NodeMachine::close);
        server.close();
        place.clear();
    }

    final void start() throws Exception {
        server.start();
        for (NodeMachine machine : machines) {
            machine.boot();
            machine.agent().start();
            api.awaitNode(machine.name(), "ready");
        }
        assertNotEquals(one.network(), two.network());
        Variables variables = Variables.none()
                .withFlag("launcher", AgentProcess.LAUNCHER.toString())
                .withFlag("pool", pool.toString());
        api.run(example("split-plugin-controller"), variables);
        api.run(example("split-plugin-node"), variables);
        api.awaitPlugin("local", 1, 2);
        CsiPlugin plugin = api.plugin("local");
        for (NodeMachine machine : machines) {
            assertEquals(
                    provided(machine),
                    requireNonNull(requireNonNull(plugin.Nodes().get(id(machine)))
                                    .NodeInfo())
                            .ID());
        }
    }

    /** With ids of the provider's own for the nodes. */
    private static String example(String name) throws IOException {
        return Files.readString(AgentProcess.LAUNCHER.resolveSibling("examples/" + name + ".nomad.hcl"))
                .replace("${node.unique.id}", "at-${node.unique.name}");
    }

    static String provided(NodeMachine machine) {
        return "at-" + machine.name();
    }

    final String id(NodeMachine machine) throws Exception {
        return api.node(machine.name()).ID();
    }

    static String volume(String id, String mode) {
        return Words.volume(id, "directory", mode);
    }

    static String job(String id, String type, String volume, String mode, boolean reads, String script) {
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
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(id, type, volume, mode, reads, script);
    }

    /** Where the plugin has what is in a volume. */
    final Path data(String volume) throws Exception {
        return pool.resolve("volumes").resolve(api.volume(volume).ExternalID()).resolve("data");
    }

    static void assertGrows(Path file) throws Exception {
        long before = Files.exists(file) ? Files.size(file) : 0;
        Api.await(() -> Files.exists(file) && Files.size(file) > before, file + " grows");
    }

    final List<Integer> numbers(String volume) throws Exception {
        return Files.readAllLines(data(volume).resolve("numbers")).stream()
                .map(Integer::valueOf)
                .toList();
    }

    /** Each number is one more than the one before: there never were two writers. */
    final void assertOneWriterAtATime(String volume) throws Exception {
        List<Integer> numbers = numbers(volume);
        assertEquals(IntStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers);
    }

    /** The machine on which the only running allocation of a job is. */
    final Optional<NodeMachine> place(String job) throws Exception {
        List<String> names = api.client().jobs().allocations(job, true, Params.none()).body().stream()
                .filter(alloc -> alloc.ClientStatus().equals("running"))
                .map(AllocationStub::NodeName)
                .toList();
        return machines.stream()
                .filter(each -> names.equals(List.of(each.name())))
                .findFirst();
    }

    /** Claims, mounts, loops, directories, sockets and processes: none. */
    final void assertEndsWithNothing(List<String> volumes, String... jobs) throws Exception {
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
