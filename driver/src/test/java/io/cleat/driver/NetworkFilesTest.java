package io.cleat.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.NetworkDns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a container's programs read of hosts, on machines of several kinds. */
class NetworkFilesTest {
    private static final Path RESOLV = Path.of("/etc/resolv.conf");
    private static final NetworkDns GIVEN =
            new NetworkDns(List.of("192.0.2.53"), List.of("a.example", "b.example"), List.of());

    @TempDir
    Path root;

    private Map<Path, String> files(TaskNetwork network) throws Exception {
        return new NetworkFiles(root).of(network);
    }

    private static TaskNetwork own(NetworkDns dns, String... addresses) {
        return new TaskNetwork(Optional.of(Path.of("/run/netns/n")), Map.of(), "front", List.of(addresses), dns);
    }

    private void node(String file, String text) throws Exception {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    @Test
    void inTheNodesNetwork_onlyWhatIsGivenDiffers() throws Exception {
        node("etc/resolv.conf", "# made\nnameserver 127.0.0.53\nsearch x\noptions edns0 trust-ad\n");
        assertEquals(Map.of(), files(TaskNetwork.OF_NODE));
        assertEquals(
                Map.of(RESOLV, "nameserver 192.0.2.53\nsearch a.example b.example\n" + "options edns0 trust-ad\n"),
                files(new TaskNetwork(Optional.empty(), Map.of(), "", List.of(), GIVEN)));
    }

    @Test
    void ownNamesLeadToOwnAddresses() throws Exception {
        Map<Path, String> files = files(own(GIVEN, "172.26.64.2", "fd00::2"));
        assertEquals(Set.of(Path.of("/etc/hosts"), Path.of("/etc/hostname"), RESOLV), files.keySet());
        String hosts = Objects.requireNonNull(files.get(Path.of("/etc/hosts")));
        assertEquals(
                "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n",
                hosts.substring(0, hosts.indexOf("fe00")));
        assertEquals("172.26.64.2 front\nfd00::2 front\n", hosts.substring(hosts.indexOf("172")));
        assertEquals("front\n", files.get(Path.of("/etc/hostname")));
        String alone = Objects.requireNonNull(files(own(GIVEN)).get(Path.of("/etc/hosts")));
        assertEquals("127.0.1.1 front\n", alone.substring(alone.indexOf("127.0.1")));
    }

    @Test
    void aServerOfTheNodesLoopback_isReplacedByThoseBehindIt_whereTheyAreKnown() throws Exception {
        node("etc/resolv.conf", "nameserver 127.0.0.53\nsearch x\n");
        TaskNetwork own = own(NetworkDns.OF_NODE);
        assertEquals("nameserver 127.0.0.53\nsearch x\n", files(own).get(RESOLV));
        node("run/systemd/resolve/resolv.conf", "nameserver 192.0.2.1\nnameserver fe80::1%eth0\n");
        assertEquals(
                "nameserver 192.0.2.1\nnameserver fe80::1%eth0\n", files(own).get(RESOLV));
        node("etc/resolv.conf", "nameserver 127.0.0.1\nnameserver 192.0.2.9\n");
        assertEquals("nameserver 127.0.0.1\nnameserver 192.0.2.9\n", files(own).get(RESOLV));
    }

    @Test
    void aNodeWithoutSettings_hasNone() throws Exception {
        assertEquals("", files(own(NetworkDns.OF_NODE)).get(RESOLV));
    }
}
