package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.NetworkDns;
import io.cleat.api.NetworkStatus;
import io.cleat.api.Params;
import io.cleat.testkit.NetworkLeaks;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Allocations with networks of their own, by real plugins and by such as kill the agent. */
@Timeout(900)
class NetworksTest {

    /** Answers each call with one line. */
    private static final String SERVER = "use IO::Socket; my $s = IO::Socket::INET->new(LocalPort => 80, Listen => 5,"
            + " ReuseAddr => 1) or die; $| = 1; print \\\"own $ENV{NOMAD_ALLOC_ADDR_http}"
            + " at $ENV{NOMAD_ADDR_http} \\\";"
            + " system(\\\"ip -o addr show eth0; cat /sys/class/net/eth0/mtu /etc/hosts; echo named `hostname`.\\\"); "
            + "while (my $c = $s->accept) {"
            + " print $c \\\"well met\\\\n\\\"; close $c }";

    private static final String SERVICE = """
            service {
              name         = "own"
              provider     = "nomad"
              port         = "http"
              address_mode = "alloc"
            }
            """;

    private static final String NAMES = """
            mode     = "none"
            hostname = "front-${NOMAD_ALLOC_INDEX}"
            dns {
              servers  = ["192.0.2.53"]
              searches = ["a.example", "b.example"]
              options  = ["ndots:2"]
            }
            """;

    private static final String RESOLVING = "$| = 1; system(\\\"cat /etc/resolv.conf\\\"); sleep 1000";

    private static String client(String address) {
        return "use IO::Socket; $| = 1; while (1) { my $c = IO::Socket::INET->new(\\\""
                + address
                + "\\\"); if ($c) { print \\\"heard \\\", scalar <$c>; sleep 1000 } sleep 1 }";
    }

    private static String task(String name, String command) {
        return """
        task "%s" {
          driver = "exec"
          user   = "root"
          config {
            command = "perl"
            args    = ["-e", "%s"]
          }
          kill_timeout = "1s"
          resources {
            cpu    = 100
            memory = 64
          }
        }
        """.formatted(name, command);
    }

    private static String job(String id, String network, String... tasks) {
        return """
        job "%s" {
          group "g" {
            network {
              %s
            }
            %s
          }
        }
        """.formatted(id, network, String.join("\n", tasks));
    }

    private final Workplace place;
    private final AgentProcess agent;
    private final Api api;
    private final Path programs;

    /** Task drivers in programs of their own; empty but in one test. */
    private final Path drivers;

    /** Of its allocations, as plugins know them. */
    private final Set<String> names = new TreeSet<>();

    NetworksTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        programs = Files.createDirectory(place.root.resolve("cni"));
        drivers = Files.createDirectory(place.root.resolve("drivers"));
        agent = new AgentProcess(
                place.root.resolve("n"),
                List.of(),
                "-node=n",
                "-bridge-network-name=" + OwnBridge.NAME,
                "-bridge-network-subnet=" + OwnBridge.SUBNET,
                "-bridge-network-subnet-ipv6=" + OwnBridge.SUBNET6,
                "-bridge-network-mtu=1400",
                "-driver-dir=" + drivers,
                "-cni-config-dir=" + programs,
                "-cni-path=" + programs + ":/opt/cni/bin:/usr/lib/cni");
        api = agent.api();
    }

    @BeforeEach
    void write() throws Exception {
        Files.writeString(programs.resolve("inner.conflist"), """
                {"cniVersion":"1.0.0","name":"inner","plugins":[{"type":"first"},{"type":"second"}]}
                """);
        for (String name : List.of("first", "second")) {
            Path program = programs.resolve(name);
            Files.writeString(program, """
                    #!/bin/sh
                    cat > /dev/null
                    dir=%s
                    me=%s
                    [ $CNI_COMMAND = DEL ] && [ -e $dir/stuck ] && { echo no way >&2; exit 1; }
                    [ $CNI_COMMAND = ADD ] && touch $dir/made.$me && \
                      echo '{"cniVersion":"1.0.0","dns":{"nameservers":["192.0.2.77"],"search":["cni.example"]}}'
                    [ $CNI_COMMAND = DEL ] && rm -f $dir/made.$me
                    if [ "$(cat $dir/deadly)" = "$CNI_COMMAND $me" ]; then
                      echo > $dir/deadly
                      kill -9 $(cat $dir/agent)
                      sleep 1000
                    fi
                    exit 0
                    """.formatted(programs, name));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        deadly("");
    }

    private void deadly(String call) throws IOException {
        Files.writeString(programs.resolve("deadly"), call);
    }

    private void start() throws Exception {
        agent.start();
        api.awaitNode("n", "ready");
        Api.requireDriver(api.client(), "exec");
    }

    @AfterEach
    void clear() throws Exception {
        agent.close();
        place.clear();
        OwnBridge.remove();
    }

    private static void run(String... command) throws Exception {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private AllocationStub running(String job) throws Exception {
        Api.await(() -> allocation(job).stream().anyMatch(this::isRunning), job + " runs");
        AllocationStub found =
                allocation(job).stream().filter(this::isRunning).findFirst().orElseThrow();
        names.add("cleat-" + found.ID());
        return found;
    }

    private boolean isRunning(AllocationStub one) {
        return one.ClientStatus().equals("running");
    }

    private List<AllocationStub> allocation(String job) throws Exception {
        return api.client().jobs().allocations(job, true, Params.none()).body();
    }

    private String printed(AllocationStub allocation, String task, String words) throws Exception {
        return api.awaitPrinted(allocation.ID(), task, words);
    }

    private static Path namespace(AllocationStub allocation) {
        return Path.of("/run/netns/cleat-" + allocation.ID());
    }

    /** Neither a namespace, nor an address, a rule, or an interface of any of its allocations. */
    private void assertNothingIsLeft() throws Exception {
        NetworkLeaks leaks = NetworkLeaks.ofThisMachine();
        assertEquals(List.of(), leaks.found(names));
        assertEquals(List.of(), leaks.attached(OwnBridge.NAME));
    }

    private NetworkStatus network(AllocationStub of) throws Exception {
        return requireNonNull(
                api.client().allocations().get(of.ID(), Params.none()).body().NetworkStatus());
    }

    /** Others are told the allocation's own address. */
    private void isKnownAt(AllocationStub web, String own, String own6) throws Exception {
        assertEquals(new NetworkStatus(own, own6, null, "eth0"), network(web));
        isFoundAt(own + ":80");
    }

    private void isFoundAt(String place) throws Exception {
        Api.await(
                () -> api.client().services().get("own", Params.none()).body().stream()
                        .map(found -> found.Address() + ":" + found.Port())
                        .toList()
                        .equals(List.of(place)),
                "the service is found at " + place);
    }

    private void stop(String job) throws Exception {
        api.client().jobs().deregister(job, true, false, Params.none());
    }

    private List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(agent.data().resolve("client/networks"))) {
            return files.toList();
        }
    }

    @Test
    void aBridge_isReachedByTheNodesPort_byNeighbours_andAfterTheAgentsDeath() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/lib/cni/bridge")) && Files.exists(Path.of("/usr/sbin/iptables")),
                "reason: CNI plugins or iptables are not installed: ./dev setup -y");
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "reason: this kernel has no IPv6");
        start();
        api.run(job(
                "web",
                "mode = \"bridge\"\nport \"http\" { to = 80 }",
                SERVICE,
                task("server", SERVER),
                task("beside", client("127.0.0.1:80"))));
        AllocationStub web = running("web");
        String at = printed(web, "server", "named ");
        printed(web, "beside", "heard well met");
        String address = at.split(" ", -1)[3];
        assertEquals("well met\n", Api.heard(address));
        assertEquals(1, NetworkLeaks.ofThisMachine().attached(OwnBridge.NAME).size());
        String own = at.replaceAll("(?s).*inet (172[0-9.]+)/.*", "$1");
        assertEquals(own + ":80", at.split(" ", -1)[1]);
        String named = web.ID().substring(0, 8);
        String own6 = at.replaceAll("(?s).*inet6 (fd00[0-9a-f:]+)/.*", "$1");
        String hosts = own + " " + named + "\n" + own6 + " " + named + "\n";
        assertTrue(at.contains("\n" + hosts + "named " + named + "."), at);
        assertTrue(at.contains("\n1400\n127.0.0.1 localhost\n"), at);
        isKnownAt(web, own, own6);
        api.run(job("asks", "mode = \"bridge\"", task("asks", client(own + ":80"))));
        AllocationStub asks = running("asks");
        printed(asks, "asks", "heard well met");
        api.run(job(
                "alone",
                NAMES,
                task(
                        "t",
                        "$| = 1; system(\\\"ip -o link; hostname; cat /etc/hostname"
                                + " /etc/resolv.conf; getent hosts front-0\\\");"
                                + " sleep 1000")));
        AllocationStub alone = running("alone");
        String seen = printed(alone, "t", "127.0.1.1");
        assertEquals(1, seen.lines().filter(line -> line.contains("UP")).count(), seen);
        String names = "front-0\nfront-0\nnameserver 192.0.2.53\nsearch a.example b.example\n" + "options ndots:2\n";
        assertTrue(seen.contains(names), seen);
        assertEquals(
                new NetworkDns(List.of("ndots:2"), List.of("a.example", "b.example"), List.of("192.0.2.53")),
                network(alone).DNS());

        agent.kill();
        assertEquals("well met\n", Api.heard(address));
        run("ip", "-n", "cleat-" + asks.ID(), "route", "delete", "default");
        agent.start();
        api.awaitNode("n", "ready");
        Api.await(
                () -> events(asks, "asks").contains("Network Check Failed"),
                "an event says that the network is not as it was");
        assertFalse(events(web, "server").contains("Network"), events(web, "server"));
        assertEquals(web.ID(), running("web").ID());
        isKnownAt(web, own, own6);
        assertEquals("well met\n", Api.heard(address));

        for (String job : List.of("web", "asks", "alone")) {
            stop(job);
        }
        Api.await(() -> records().isEmpty(), "no network is left");
        assertNothingIsLeft();
        assertFalse(Files.exists(OwnBridge.ADDRESSES.resolve(own)));
    }

    @Test
    void killedInEachCallOfAPlugin_theNextAgentMakesItAnew_andUndoesAll() throws Exception {
        start();
        for (String point : List.of("ADD first", "ADD second", "DEL second", "DEL first")) {
            Files.writeString(programs.resolve("agent"), Long.toString(agent.pid()));
            String id = point.replace(' ', '-');
            deadly(point);
            api.run(job(id, "mode = \"cni/inner\"", task("t", RESOLVING)));
            if (point.startsWith("ADD")) {
                agent.awaitDeath();
                agent.start();
            }
            AllocationStub allocation = running(id);
            assertTrue(Files.exists(namespace(allocation)));
            if (point.equals("ADD second")) {
                resolvesAsThePluginAnswered(allocation);
            }
            stop(id);
            if (point.startsWith("DEL")) {
                agent.awaitDeath();
                agent.start();
            }
            Api.await(() -> records().isEmpty(), "no network is left after " + point);
            assertNothingIsLeft();
            assertFalse(Files.exists(programs.resolve("made.first")), point);
            assertFalse(Files.exists(programs.resolve("made.second")), point);
        }
        whatCannotBeUndone_isToldInTheTasksEvents();
    }

    private void resolvesAsThePluginAnswered(AllocationStub allocation) throws Exception {
        String seen = printed(allocation, "t", "search");
        assertTrue(seen.startsWith("nameserver 192.0.2.77\nsearch cni.example\n"), seen);
        NetworkDns answered = new NetworkDns(null, List.of("cni.example"), List.of("192.0.2.77"));
        Api.await(() -> answered.equals(network(allocation).DNS()), "the API says whom the plugin names");
    }

    /** It is asked once, whatever becomes of the agent; and all tasks of the group join. */
    @Test
    void aDriverThatMustMakeTheNetworkItself_makesItOnce_andUndoesItOnce() throws Exception {
        String name = "made-" + ProcessHandle.current().pid();
        Path log = place.root.resolve("made.log");
        List<String> plugin = TestJvm.plugin(List.of(
                "-Xmx64m",
                "io.cleat.processtests.NamespaceDriver",
                name,
                ShimProgram.built().toString(),
                log.toString()));
        Path program = drivers.resolve(name);
        Files.writeString(program, "#!/bin/sh\nexec '" + String.join("' '", plugin) + "'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        start();
        String script = "$| = 1; print readlink(\\\"/proc/self/ns/net\\\"), \\\" seen\\\\n\\\"; sleep 1000";
        String own = task("own", script).replace("\"exec\"", '"' + name + '"').replace("\"perl\"", "\"/usr/bin/perl\"");
        String found = SERVICE.replace("\"alloc\"", "\"driver\"") + "kill_timeout = \"1s\"";
        own = own.replace("kill_timeout = \"1s\"", found);
        String ports = "mode = \"cni/inner\"\nport \"http\" {}";
        api.run(job("made", ports, own, task("beside", script)));
        AllocationStub made = running("made");
        Path namespace = Path.of("/run/netns", NamespaceDriver.namespace(made.ID()));
        String expected = "net:[" + Files.getAttribute(namespace, "unix:ino") + "] seen\n";
        for (String task : List.of("own", "beside")) {
            assertEquals(expected, printed(made, task, "seen"), task);
        }
        assertTrue(Files.exists(programs.resolve("made.second")), "CNI plugins connect it");
        isFoundAt(NamespaceDriver.ADDRESS + ":8080");

        agent.kill();
        agent.start();
        api.awaitNode("n", "ready");
        assertEquals(made.ID(), running("made").ID());
        isFoundAt(NamespaceDriver.ADDRESS + ":8080");
        assertEquals("make " + made.ID() + "\n", Files.readString(log));

        stop("made");
        Api.await(() -> records().isEmpty(), "no network is left");
        assertEquals("make " + made.ID() + "\nunmake " + made.ID() + " {by=" + name + "}\n", Files.readString(log));
        assertFalse(Files.exists(namespace));
        assertFalse(Files.exists(programs.resolve("made.second")));
        assertNothingIsLeft();
    }

    private String events(AllocationStub allocation, String task) throws Exception {
        return api.events(allocation.ID(), task).stream()
                .map(event -> event.Type() + " " + event.DisplayMessage())
                .collect(Collectors.joining("\n"));
    }

    private void whatCannotBeUndone_isToldInTheTasksEvents() throws Exception {
        api.run(job("stays", "mode = \"cni/inner\"", task("t", "sleep 1000")));
        AllocationStub stays = running("stays");
        Path stuck = Files.createFile(programs.resolve("stuck"));
        stop("stays");
        Api.await(
                () -> events(stays, "t").contains("\"second\": DEL ended with exit code 1: no way"),
                "an event says why the network stays");
        Files.delete(stuck);
        Api.await(() -> records().isEmpty(), "no network is left");
    }
}
