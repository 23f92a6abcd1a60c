package io.cleat.agent.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.driver.NetworkMaker;
import io.cleat.kernel.BootId;
import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks of allocations: real namespaces, and plugins that are small scripts. */
final class AllocationNetworksTest {
    /** Writes down each call, keeps a file for what it has made, and answers. */
    private static final String GOOD = """
            in=$(cat)
            echo "$CNI_COMMAND $(basename "$0") ${CNI_NETNS:-none} $in" >> "$dir/calls"
            echo "$CNI_CONTAINERID $CNI_IFNAME $CNI_ARGS" >> "$dir/args"
            case $CNI_COMMAND in
            ADD) touch "$dir/made.$(basename "$0")"
                echo "{\\"cniVersion\\":\\"1.0.0\\",\\"by\\":\\"$(basename "$0")\\"}" ;;
            DEL) rm -f "$dir/made.$(basename "$0")" ;;
            esac
            """;

    private static final BootId BOOT = new BootId("boot-1");
    private static final List<AllocatedPort> PORTS = List.of(new AllocatedPort("http", 20_001, 80, "192.0.2.1", false));
    private static final GroupNetwork NAMED = new GroupNetwork("cni/inner", "", null, List.of(), Map.of("VLAN", "7"));
    private static final GroupNetwork NONE = new GroupNetwork("none", "", null, List.of(), Map.of());

    /** Makes namespaces as the agent does, elsewhere; says what it was asked. */
    private final NetworkMaker maker = new NetworkMaker() {
        @Override
        public Made make(String allocId, String hostname) {
            asked.add("make " + hostname);
            return new Made(base.resolve("made").toString(), Map.of("by", "maker"));
        }

        @Override
        public void unmake(String allocId, Made made) throws DriverTrouble {
            asked.add("unmake " + made.path().replace(base + "/", "") + made.labels());
            if (Files.exists(base.resolve("stuck"))) {
                throw new DriverTrouble("not now", Effect.UNKNOWN, Retry.AFTER_OBSERVING);
            }
        }
    };

    private final List<String> asked = new ArrayList<>();
    private final String id = UUID.randomUUID().toString();
    private Path base;
    private Path programs;
    private Path configs;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a network namespace needs root, and the tests run as another user");
        Assumptions.assumeTrue(
                NetworkNamespaces.fault().isEmpty(),
                () -> "reason: " + NetworkNamespaces.fault().orElse(""));
        base = RunDirectory.make();
        programs = Files.createDirectory(base.resolve("programs"));
        configs = Files.createDirectory(base.resolve("configs"));
        Files.writeString(configs.resolve("inner.conflist"), """
                {"cniVersion":"1.0.0","name":"inner","plugins":[
                  {"type":"first"},{"type":"second","capabilities":{"portMappings":true}}]}
                """);
        plugin("first", GOOD);
        plugin("second", GOOD);
    }

    @AfterEach
    void clear() throws Exception {
        Files.setPosixFilePermissions(programs, PosixFilePermissions.fromString("rwxr-xr-x"));
        plugin("first", GOOD);
        plugin("second", GOOD);
        networks(BOOT).remove(id);
        assertFalse(Files.exists(NetworkNamespaces.path(id)));
    }

    private void plugin(String name, String script) throws Exception {
        Path file = programs.resolve(name);
        Files.writeString(file, "#!/bin/sh\ndir=" + base + "\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Threads threads() {
        return Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        });
    }

    private AllocationNetworks networks(BootId boot) throws Exception {
        return networks(boot, Duration.ofSeconds(60));
    }

    private AllocationNetworks networks(BootId boot, Duration within) throws Exception {
        return AllocationNetworks.at(
                base.resolve("networks"),
                new CniSettings(configs, List.of(programs), "cleat-t", "172.29.77.0/24", "", 0),
                ShimProgram.built(),
                threads(),
                boot,
                name -> name.equals("maker") ? Optional.of(maker) : Optional.empty(),
                within);
    }

    private List<String> calls() throws Exception {
        Path calls = base.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private boolean isMade(String plugin) {
        return Files.exists(base.resolve("made." + plugin));
    }

    private String failure(AllocationNetworks networks) {
        return assertThrows(Trouble.class, () -> networks.ensure(id, NAMED, PORTS, Optional.empty(), false))
                .reason();
    }

    @Test
    void pluginsAreAskedInOrder_eachWithWhatTheOneBeforeAnswered_andUndoneInReverse() throws Exception {
        AllocationNetworks networks = networks(BOOT);
        String path = NetworkNamespaces.path(id).toString();
        networks.ensure(id, NAMED, PORTS, Optional.empty(), false);
        assertTrue(Files.exists(Path.of(path)));
        assertEquals(Set.of(id), networks.held());
        networks.ensure(id, NAMED, PORTS, Optional.empty(), true);
        networks.remove(id);
        networks.remove(id);
        assertEquals(
                List.of(
                        "ADD first " + path + " {'type':'first','cniVersion':'1.0.0','name':'inner'}",
                        "ADD second "
                                + path
                                + " {'type':'second','cniVersion':'1.0.0','name':'inner','runtimeConfig':"
                                + "{'portMappings':[{'hostPort':20001,'containerPort':80,"
                                + "'protocol':'tcp','hostIP':'192.0.2.1'},{'hostPort':20001,"
                                + "'containerPort':80,'protocol':'udp','hostIP':'192.0.2.1'}]},"
                                + "'prevResult':{'cniVersion':'1.0.0','by':'first'}}"),
                calls().subList(0, 2).stream()
                        .map(call -> call.replace('"', '\''))
                        .toList());
        assertEquals(4, calls().size());
        assertTrue(calls().get(2).startsWith("DEL second " + path), calls().get(2));
        assertTrue(calls().get(3).startsWith("DEL first " + path), calls().get(3));
        assertTrue(calls().get(3).contains("\"by\":\"second\""), calls().get(3));
        assertEquals(
                "cleat-" + id + " eth0 IgnoreUnknown=true;VLAN=7",
                Files.readAllLines(base.resolve("args")).getFirst());
        assertEquals(Set.of(), networks.held());
        assertFalse(Files.exists(Path.of(path)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    echo '{"code":11,"msg":"no address left","details":"of 10.0.0.0/30"}'; exit 1 | ADD ended with exit code 1: no address left, of 10.0.0.0/30
                    echo oh dear >&2; exit 3 | ADD ended with exit code 3: oh dear
                    echo done | ADD answered "done", which is no JSON object
                    echo '[]' | ADD answered "[]", which is no JSON object
                    echo '{"ips":[{"address":"here"}]}' | ADD answered wrongly: an address in its answer is "here": expected one with its prefix
                    yes | ADD was killed: it printed more than an answer may have
                    """)
    void aPluginThatFails_isNamedWithItsWords_andNothingIsLeft(String script, String words) throws Exception {
        plugin("second", "if [ $CNI_COMMAND = ADD ]; then " + script + "; else " + GOOD + "\nfi");
        AllocationNetworks networks = networks(BOOT);
        String why = failure(networks);
        assertTrue(why.contains("CNI plugin \"second\": " + words), why);
        assertFalse(isMade("first"));
        assertFalse(Files.exists(NetworkNamespaces.path(id)));
        assertEquals(Set.of(), networks.held());
    }

    @Test
    void aPluginThatHangs_isKilledWithWhatItHasStarted() throws Exception {
        plugin("second", "[ $CNI_COMMAND = DEL ] && exit 0; sleep 1000 & echo $! > $dir/child; wait");
        String why = failure(networks(BOOT, Duration.ofSeconds(2)));
        assertTrue(why.contains("\"second\": ADD was killed with all that it had started"), why);
        String child = Files.readString(base.resolve("child")).strip();
        assertFalse(ProcessHandle.of(Long.parseLong(child)).isPresent());
        assertFalse(isMade("first"));
    }

    @Test
    void whatIsNotThere_isSaid() throws Exception {
        Files.delete(programs.resolve("second"));
        String why = failure(networks(BOOT));
        assertTrue(why.contains("CNI plugin \"second\": ADD is in none of " + programs), why);
        assertEquals(Set.of(), networks(BOOT).held());
        assertFalse(isMade("first"));
        assertFalse(networks(BOOT).modes().contains("cni/inner"));
        Files.delete(configs.resolve("inner.conflist"));
        assertTrue(failure(networks(BOOT)).contains("has a CNI network of the name \"inner\""));
    }

    /** Whoever can write it would be root with the next allocation. */
    @Test
    void whatOthersCouldExchange_isNotRun() throws Exception {
        Path second = programs.resolve("second");
        Files.setPosixFilePermissions(second, PosixFilePermissions.fromString("rwxrwxr-x"));
        String words = "is not run, since root would: " + second + " may be written by others";
        String why = failure(networks(BOOT));
        assertTrue(why.contains("CNI plugin \"second\": ADD " + words), why);
        assertFalse(networks(BOOT).modes().contains("cni/inner"));
        Files.setPosixFilePermissions(second, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(programs, PosixFilePermissions.fromString("rwxrwxrwx"));
        why = failure(networks(BOOT));
        assertTrue(why.contains("since root would: " + programs + " may be written"), why);
    }

    @Test
    void whatAnAgentBeganThatDied_isUndoneAndMadeAnew() throws Exception {
        // Killed as it asks the second: the record says that it may have been asked.
        plugin("second", GOOD + "\n[ $CNI_COMMAND = DEL ] || exit 1");
        plugin("first", GOOD + "\n[ $CNI_COMMAND = ADD ] || exit 1");
        failure(networks(BOOT));
        assertTrue(isMade("first") || Files.exists(NetworkNamespaces.path(id)));
        plugin("first", GOOD);
        plugin("second", GOOD);
        AllocationNetworks next = networks(BOOT);
        assertEquals(Set.of(id), next.held());
        next.ensure(id, NAMED, PORTS, Optional.empty(), false);
        assertTrue(isMade("first") && isMade("second"));
    }

    @Test
    void afterABoot_whatPluginsKeepOnDiskIsUndone_andItIsMadeAnew() throws Exception {
        networks(BOOT).ensure(id, NAMED, PORTS, Optional.empty(), false);
        // As a boot leaves it: the namespace is gone, files are not.
        new ProcessBuilder("ip", "netns", "delete", NetworkNamespaces.name(id))
                .start()
                .waitFor();
        String gone = assertThrows(Trouble.class, () -> networks(BOOT).ensure(id, NAMED, PORTS, Optional.empty(), true))
                .reason();
        assertTrue(gone.contains("is not there any more"), gone);
        networks(new BootId("boot-2")).ensure(id, NAMED, PORTS, Optional.empty(), true);
        assertTrue(calls().get(2).startsWith("DEL second none"), calls().get(2));
        assertTrue(Files.exists(NetworkNamespaces.path(id)));
        assertTrue(isMade("first") && isMade("second"));
    }

    @Test
    void whatIsConnected_isCheckedWhereThatMayBe_andTheFirstPluginThatFindsOtherwiseIsTold() throws Exception {
        AllocationNetworks networks = networks(BOOT);
        assertEquals(Optional.empty(), networks.check(id));
        networks.ensure(id, NAMED, PORTS, Optional.empty(), false);
        assertEquals(Optional.empty(), networks.check(id));
        assertTrue(calls().get(2).startsWith("CHECK first " + NetworkNamespaces.path(id)));
        assertTrue(calls().get(2).contains("\"prevResult\":{\"cniVersion\":\"1.0.0\",\"by\":\"second\"}"));
        plugin("first", GOOD + "[ $CNI_COMMAND != CHECK ] || { echo no rule >&2; exit 1; }");
        assertEquals(Optional.of("CNI plugin \"first\": CHECK ended with exit code 1: no rule"), networks.check(id));
        assertEquals(5, calls().size());
        for (String never : List.of("1.0.0\",\"disableCheck\":true,\"x\":\"", "0.3.1")) {
            String text = Files.readString(configs.resolve("inner.conflist"));
            Files.writeString(configs.resolve("inner.conflist"), text.replace("1.0.0", never));
            assertEquals(Optional.empty(), networks.check(id), never);
            Files.writeString(configs.resolve("inner.conflist"), text);
        }
    }

    @Test
    void whatNobodyHasAnyMore_isUndoneByPluginsThatKnowHow_beforeAnythingIsConnected() throws Exception {
        networks(BOOT).ensure(id, NAMED, PORTS, Optional.empty(), false);
        Files.writeString(
                configs.resolve("newer.conf"), "{\"cniVersion\":\"1.1.0\",\"name\":\"newer\",\"type\":\"first\"}");
        Files.writeString(
                configs.resolve("shared.conf"),
                "{\"cniVersion\":\"1.1.0\",\"name\":\"shared\",\"disableGC\":true,\"type\":\"first\"}");
        AllocationNetworks next = networks(BOOT);
        next.collect(threads());
        next.remove(id);
        next.ensure(id, NAMED, PORTS, Optional.empty(), false);
        List<String> collections =
                calls().stream().filter(call -> call.startsWith("GC ")).toList();
        assertEquals(1, collections.size(), collections.toString());
        String valid = "{\"containerID\":\"" + NetworkNamespaces.name(id) + "\",\"ifname\":\"eth0\"}";
        assertTrue(collections.getFirst().contains(valid), collections.getFirst());
        assertTrue(collections.getFirst().contains("\"name\":\"newer\""));
        List<String> verbs = calls().stream().map(call -> call.split(" ", 2)[0]).toList();
        assertTrue(verbs.lastIndexOf("GC") < verbs.lastIndexOf("ADD"), verbs.toString());
    }

    @Test
    void aDriverThatMakesNetworksItself_isAskedForTheNamespace_andPluginsConnectIt() throws Exception {
        GroupNetwork named = new GroupNetwork("cni/inner", "front", null, List.of(), Map.of());
        AllocationNetworks networks = networks(BOOT);
        JoinedNetwork joined = networks.ensure(id, named, PORTS, Optional.of("maker"), false);
        String made = base.resolve("made").toString();
        assertEquals(Optional.of(Path.of(made)), joined.namespace());
        assertEquals(Map.of("by", "maker"), joined.labels());
        assertEquals(joined, networks(BOOT).ensure(id, named, PORTS, Optional.of("maker"), true));
        assertFalse(Files.exists(NetworkNamespaces.path(id)));
        assertTrue(calls().getFirst().startsWith("ADD first " + made + " "), calls().getFirst());
        Files.createFile(base.resolve("stuck"));
        assertEquals(
                "not now",
                assertThrows(Trouble.class, () -> networks.remove(id)).reason());
        assertEquals(Set.of(id), networks.held());
        // After a boot it is gone, whatever the driver says; its file may be another's.
        networks(new BootId("boot-2")).remove(id);
        assertEquals(Set.of(), networks.held());
        assertEquals(List.of("make front", "unmake made{by=maker}", "unmake made{by=maker}"), asked);
        assertTrue(calls().get(2).startsWith("DEL second " + made + " "), calls().get(2));
        assertTrue(calls().get(4).startsWith("DEL second none "), calls().get(4));
    }

    @Test
    void withoutANetwork_onlyLoopbackIsThere() throws Exception {
        networks(BOOT).ensure(id, NONE, List.of(), Optional.empty(), false);
        Process shown = new ProcessBuilder("ip", "-n", NetworkNamespaces.name(id), "-o", "-4", "addr", "show").start();
        List<String> lines = new String(shown.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().contains("lo    inet 127.0.0.1/8"), lines.getFirst());
        assertEquals(List.of(), calls());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    x | is no JSON
                    {"cniVersion":"0.2.0"} | has cniVersion "0.2.0": expected one of 0.3.0
                    {"cniVersion":"1.0.0","name":"../x"} | has the name "../x"
                    {"cniVersion":"1.0.0","name":"a","plugins":[]} | has 0 plugins
                    {"cniVersion":"1.0.0","name":"a","plugins":[{"type":"../sh"}]} | is not the name of a program
                    {"cniVersion":"1.0.0","name":"a","plugins":[7]} | is not the name of a program
                    {"cniVersion":"1.0.0","name":"a"} | is not the name of a program
                    """)
    void whatIsNoNetwork_isRefused(String text, String words) {
        String why = assertThrows(CniNetwork.Unusable.class, () -> CniNetwork.read(text))
                .getMessage();
        assertTrue(String.valueOf(why).contains(words), why);
    }

    @Test
    void theBridge_hasASecondRangeWhereOneIsGiven() throws Exception {
        CniSettings settings = new CniSettings(configs, List.of(), "inside", "10.1.0.0/16", "fd00:1::/64", 1400);
        String told = CniNetwork.bridge(settings).calls(PORTS).getFirst().config();
        assertTrue(told.contains("\"mtu\":1400,"), told);
        assertTrue(told.contains("[{\"subnet\":\"10.1.0.0/16\"}],[{\"subnet\":\"fd00:1::/64\"}]"));
        assertEquals(
                Set.of("bridge", "host-local", "firewall", "portmap"),
                CniNetwork.bridge(settings).programs());
    }

    private static final NetworkRecord RECORD = new NetworkRecord(
            "2849ded8-c520-74d0-6e49-2a300b1810ee",
            "boot-1",
            "cni/inner",
            List.of(new NetworkRecord.Call("first", "{\"type\":\"first\"}")),
            1,
            "IgnoreUnknown=true",
            "{\"cniVersion\":\"1.0.0\"}",
            true,
            "lxc",
            new NetworkMaker.Made("/run/made", Map.of("pause", "1")));

    @Test
    void whatEachVersionHasWrittenIsRead() throws Exception {
        byte[] now = NetworkStore.FORMAT.encode(RECORD);
        History history = new History("agent");
        assertEquals(RECORD, NetworkStore.FORMAT.decode(history.sample("netw-2", now)));
        // In the first every namespace was the agent's.
        NetworkRecord first = NetworkStore.FORMAT.decode(history.sample("netw-1", now));
        assertNull(first.driver());
        assertNull(first.made());
        assertEquals(RECORD.calls(), first.calls());
    }

    @Test
    void damageIsTrouble() throws Exception {
        HostileFormat.assertDamageIsTrouble(NetworkStore.FORMAT, NetworkRecord.class, 300);
        HostileFormat.assertReadsBack(NetworkStore.FORMAT, NetworkRecord.class, 300);
    }

    @Test
    void aDamagedRecord_isNamedWithWhatItHolds() throws Exception {
        AllocationNetworks networks = networks(BOOT);
        Path file = base.resolve("networks").resolve(id + ".network");
        Files.writeString(file, "not it");
        String why = assertThrows(DiskTrouble.class, () -> networks.ensure(id, NONE, PORTS, Optional.empty(), true))
                .reason();
        assertTrue(why.contains(file.toString()) && why.contains("how the network"), why);
        Files.delete(file);
    }
}
