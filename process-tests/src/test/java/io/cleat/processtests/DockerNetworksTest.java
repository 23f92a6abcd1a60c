package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.NetworkLeaks;
import io.cleat.testkit.RealEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of one group, in a network of its own: one of {@code docker}, one of {@code exec}. */
@Timeout(300)
class DockerNetworksTest {
    /** Answers at one port of 127.0.0.1 and all else that is its own, and asks at another. */
    private static String both(int own, int other) {
        return "use IO::Socket; $| = 1; my $s = IO::Socket::INET->new(LocalPort => "
                + own
                + ", Listen => 5, ReuseAddr => 1) or die; print \\\"at $ENV{NOMAD_ADDR_http} \\\";"
                + " if (fork) { while (my $c = $s->accept) { print $c \\\"this is "
                + own
                + "\\\\n\\\"; close $c } } while (1) { my $c = IO::Socket::INET->new(\\\"127.0.0.1:"
                + other
                + "\\\"); if ($c) { print \\\"heard \\\", scalar <$c>; sleep 1000 } sleep 1 }";
    }

    private static String task(String name, String driver, String config) {
        return """
        task "%s" {
          driver = "%s"
          config {
            command = "perl"
            %s
          }
          kill_timeout = "1s"
          resources {
            cpu    = 20
            memory = 64
          }
        }
        """.formatted(name, driver, config);
    }

    /** The image is empty: the machine's programs are mounted into its containers. */
    private static String job() {
        String programs = RealEngine.PROGRAMS.stream()
                .filter(Files::isDirectory)
                .map(path -> "\"" + path + ":" + path + ":ro\"")
                .collect(Collectors.joining(", "));
        return """
               job "pair" {
                 group "g" {
                   network {
                     mode = "bridge"
                     port "http" { to = 8080 }
                   }
               """
                + task("here", "exec", "args = [\"-e\", \"" + both(8080, 8081) + "\"]")
                + task(
                        "there",
                        "docker",
                        "args = [\"-e\", \""
                                + both(8081, 8080)
                                + "\"]\nimage = \""
                                + RealEngine.IMAGE
                                + "\"\nvolumes = ["
                                + programs
                                + "]")
                + "}\n}\n";
    }

    @TempDir
    private static Path engines;

    private final Workplace place;
    private RealEngine engine;
    private AgentProcess agent;
    private Api api;

    DockerNetworksTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/lib/cni/bridge")) && Files.exists(Path.of("/usr/sbin/iptables")),
                "reason: CNI plugins or iptables are not installed: ./dev setup -y");
        engine = RealEngine.open(engines);
        place = new Workplace();
        agent = new AgentProcess(
                place.root.resolve("n"),
                List.of(),
                "-node=n",
                "-bridge-network-name=" + OwnBridge.NAME,
                "-bridge-network-subnet=" + OwnBridge.SUBNET,
                "-cni-path=/opt/cni/bin:/usr/lib/cni",
                "-docker-socket=" + engine.socket(),
                "-docker-allow-path=/");
        api = agent.api();
    }

    @BeforeEach
    void start() throws Exception {
        AgentProcess.build();
        agent.start();
        api.awaitNode("n", "ready");
        Api.requireDriver(api.client(), "exec");
        // There is an engine; a busy machine's answers later than the node's first look.
        Eventually.holds(
                () -> requireNonNull(Api.driver(api.client(), "docker")).Healthy(), "the node has heard of the engine");
    }

    @AfterEach
    void clear() throws Exception {
        agent.close();
        place.clear();
        engine.close();
        OwnBridge.remove();
    }

    private AllocationStub running() throws Exception {
        Api.await(() -> allocations().stream().anyMatch(a -> a.ClientStatus().equals("running")), "the pair runs");
        assertEquals(1, allocations().size());
        return allocations().getFirst();
    }

    private List<AllocationStub> allocations() throws Exception {
        return api.client().jobs().allocations("pair", true, Params.none()).body();
    }

    private List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(agent.data().resolve("client/networks"))) {
            return files.toList();
        }
    }

    @Test
    void aContainerOfAnEngineAndOneWithout_hearEachOther_outliveTheAgent_andLeaveNothing() throws Exception {
        List<String> before = engine.containers();
        api.run(job());
        AllocationStub pair = running();
        String address =
                api.awaitPrinted(pair.ID(), "here", "heard this is 8081").split(" ", -1)[1];
        assertEquals(
                address,
                api.awaitPrinted(pair.ID(), "there", "heard this is 8080").split(" ", -1)[1]);
        assertEquals("this is 8080\n", Api.heard(address));
        List<String> containers = engine.containers();
        assertEquals(before.size() + 2, containers.size(), "its task, and what holds its network");

        agent.kill();
        assertEquals("this is 8080\n", Api.heard(address));
        agent.start();
        api.awaitNode("n", "ready");
        assertEquals(pair.ID(), running().ID());
        assertEquals(containers, engine.containers());
        assertEquals("this is 8080\n", Api.heard(address));
        assertTrue(api.awaitPrinted(pair.ID(), "there", "heard").indexOf("at ", 1) < 0, "it was not begun again");

        api.client().jobs().deregister("pair", true, false, Params.none());
        Api.await(() -> records().isEmpty(), "no network is left");
        Api.await(() -> engine.containers().equals(before), "no container is left");
        NetworkLeaks leaks = NetworkLeaks.ofThisMachine();
        assertEquals(List.of(), leaks.found(Set.of("cleat-" + pair.ID(), pair.ID())));
        assertEquals(List.of(), leaks.attached(OwnBridge.NAME));
    }
}
