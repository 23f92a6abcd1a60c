package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mounts;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of thing that can be left is seen while it is there, and only then. */
class LeaksTest {
    private final SystemTime time = new SystemTime();
    private Leaks leaks = new Leaks("");

    @TempDir
    Path directory;

    @BeforeEach
    void lookForNothingElse() {
        leaks = new Leaks(directory.toString());
    }

    private void sees(String what) throws Exception {
        List<String> found = leaks.found();
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().contains(what), found.toString());
    }

    @Test
    void directoriesOfTestsCarryTheMarkOfTheirJvm() {
        assertTrue(directory.toString().startsWith(RunDirectory.MARK), directory.toString());
    }

    @Test
    void aProcessThatNamesItAndASocketInItAreSeen() throws Exception {
        assertEquals(List.of(), leaks.found());
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        builder.environment().put("WHERE", directory.toString());
        Process process = builder.start();
        try {
            Eventually.holds(() -> !leaks.found().isEmpty(), "the process is there");
            sees("sleep 600");
        } finally {
            process.destroyForcibly().waitFor();
        }
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(directory.resolve("s")));
            sees("socket");
        }
        assertEquals(List.of(), leaks.found());
    }

    @Test
    void networksOfItsNodesAllocations_areSeen() throws Exception {
        Path records = Files.createDirectories(directory.resolve("data/client/networks"));
        Files.createFile(records.resolve("1f2e-0007.network"));
        Path allocations = Files.createDirectories(directory.resolve("data/client/allocations"));
        Files.createFile(allocations.resolve("1f2e-0008.allocation"));
        Set<String> names = NetworkLeaks.names(directory.resolve("data"));
        assertEquals(Set.of("cleat-1f2e-0007", "cleat-1f2e-0008"), names);
        Path netns = Files.createDirectories(directory.resolve("run/netns"));
        Files.createFile(netns.resolve("cleat-1f2e-0007"));
        Files.createFile(netns.resolve("cleat-1f2e-0009"));
        Path kept = Files.createDirectories(directory.resolve("var/lib/cni/networks/b"));
        Files.writeString(kept.resolve("10.0.0.2"), "cleat-1f2e-0008\neth0");
        Files.createDirectories(directory.resolve("sys/class/net/b/brif/veth1"));
        NetworkLeaks leaks = new NetworkLeaks(directory);
        assertEquals(
                List.of(
                        "network namespace " + netns.resolve("cleat-1f2e-0007"),
                        "address " + kept.resolve("10.0.0.2") + " of cleat-1f2e-0008\neth0"),
                leaks.found(names));
        assertEquals(List.of("interface veth1"), leaks.attached("b"));
    }

    @Test
    void aMountALoopDeviceAndAGroupWithItsProcessesAreSeen() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounts, loop devices and control groups need root");
        Path inner = Files.createDirectory(directory.resolve("inner"));
        Mounts.linux().mount("none", inner, "tmpfs", Set.of(), "size=64k");
        try {
            sees("mount at " + inner);
        } finally {
            Mounts.linux().unmount(inner);
        }
        Path file = directory.resolve("file");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1 << 20);
        }
        LoopDevices.linux(time).attach(file, false);
        try {
            sees(file.toString());
        } finally {
            LoopDevices.linux(time).detach(file);
        }
        Path node = Files.createDirectories(directory.resolve("data/client")).resolve("node");
        String id = "%08x".formatted(ProcessHandle.current().pid());
        Files.writeString(node, "node" + id + "-1234-1234-1234-123456789abc");
        leaks.noteNodes();
        assertEquals(List.of(), leaks.found());
        Cgroups groups = Cgroups.linux("cleat-" + id, time);
        Assumptions.assumeTrue(groups.layout() != Cgroups.Layout.NONE, "reason: " + groups.reason());
        Cgroups.Group group = groups.create("task");
        Process contained = new ProcessBuilder("sleep", "600").start();
        try {
            group.add(contained.pid());
            assertEquals(2, leaks.found().size(), leaks.found().toString());
        } finally {
            contained.destroyForcibly().waitFor();
            group.remove(Deadline.in(time, Duration.ofSeconds(10)));
            groups.removeParent();
        }
        assertEquals(List.of(), leaks.found());
    }
}
