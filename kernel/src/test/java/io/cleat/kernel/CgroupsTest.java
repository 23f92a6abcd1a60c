package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over trees as machines of each kind show them, and over this machine's own where it may. */
class CgroupsTest {
    private static final String V1 = "cgroup";
    private static final String V2 = "cgroup2";

    private final SystemTime time = new SystemTime();
    private int mounts;
    private final StringBuilder table = new StringBuilder("1 0 254:0 / / rw - ext4 /dev/vda rw\n");

    @TempDir
    Path tree;

    private Path mounted(String name, String type, String superOptions) throws IOException {
        Path root = Files.createDirectories(tree.toRealPath().resolve(name));
        mounts++;
        table.append(
                "%d 1 0:%d / %s rw - %s cgroup %s%n".formatted(10 + mounts, 40 + mounts, root, type, superOptions));
        return root;
    }

    private LinuxCgroups detected() throws Exception {
        return LinuxCgroups.detect(
                MountTable.parse(table.toString().getBytes(StandardCharsets.UTF_8)), "cleat-agent1", time);
    }

    private static Cgroups.Stats stats(long user, long system, long now, long most, long rss) {
        return new Cgroups.Stats(
                OptionalLong.of(user),
                OptionalLong.of(system),
                OptionalLong.of(now),
                OptionalLong.of(most),
                OptionalLong.of(rss));
    }

    @Test
    void versionOneCountsAndFreezes() throws Exception {
        Path memory = mounted("memory", V1, "rw,memory");
        Path cpu = mounted("cpu,cpuacct", V1, "rw,cpu,cpuacct");
        Path freezer = mounted("freezer", V1, "rw,freezer");
        mounted("devices", V1, "rw,devices");
        LinuxCgroups cgroups = detected();
        assertEquals(Cgroups.Layout.V1, cgroups.layout());
        assertFalse(cgroups.limitsSwap());
        Files.writeString(memory.resolve("memory.memsw.limit_in_bytes"), "");
        assertTrue(cgroups.limitsSwap());
        Cgroups.Group group = cgroups.create("alloc.web");
        assertEquals(
                List.of(
                        memory.resolve("cleat-agent1/alloc.web"),
                        cpu.resolve("cleat-agent1/alloc.web"),
                        freezer.resolve("cleat-agent1/alloc.web")),
                group.directories());
        Files.writeString(group.directories().get(0).resolve("memory.usage_in_bytes"), "4096\n");
        Files.writeString(group.directories().get(0).resolve("memory.stat"), "rss 5\ntotal_rss 77\n");
        Files.writeString(group.directories().get(0).resolve("memory.max_usage_in_bytes"), "8192\n");
        Files.writeString(group.directories().get(1).resolve("cpuacct.usage_user"), "123456\n");
        Files.writeString(group.directories().get(1).resolve("cpuacct.usage_sys"), "456\n");
        assertEquals(stats(123456, 456, 4096, 8192, 77), group.stats());
    }

    @Test
    void versionTwoHandsItsControllersDown() throws Exception {
        Path root = mounted("unified", V2, "rw");
        Path own = Files.createDirectory(root.resolve("cleat-agent1"));
        for (Path group : List.of(root, own)) {
            Files.writeString(group.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
            Files.writeString(group.resolve("cgroup.subtree_control"), "");
        }
        LinuxCgroups cgroups = detected();
        assertEquals(Cgroups.Layout.V2, cgroups.layout());
        Cgroups.Group group = cgroups.create("alloc.web");
        assertTrue(Files.readString(own.resolve("cgroup.subtree_control")).startsWith("+"));
        Path directory = group.directories().getFirst();
        Files.writeString(directory.resolve("cpu.stat"), "usage_usec 12\nuser_usec 2\nsystem_usec 10\n");
        Files.writeString(directory.resolve("memory.current"), "9000\n");
        Files.writeString(directory.resolve("memory.peak"), "9500\n");
        Files.writeString(directory.resolve("memory.stat"), "anon 8000\nfile 1000\n");
        assertEquals(stats(2000, 10000, 9000, 9500, 8000), group.stats());
    }

    @Test
    void aHybridMachineKillsByVersionTwoAndCountsByVersionOne() throws Exception {
        Path memory = mounted("memory", V1, "rw,memory");
        mounted("freezer", V1, "rw,freezer");
        Path unified = mounted("unified", V2, "rw");
        LinuxCgroups cgroups = detected();
        assertEquals(Cgroups.Layout.HYBRID, cgroups.layout());
        Cgroups.Group group = cgroups.create("a.b");
        assertEquals(
                List.of(memory.resolve("cleat-agent1/a.b"), unified.resolve("cleat-agent1/a.b")), group.directories());
        assertEquals(List.of("a.b"), cgroups.names());
        assertFalse(cgroups.removeParent());
        Path nested = Files.createDirectory(group.directories().get(1).resolve("nested"));
        Files.writeString(nested.resolve("cgroup.procs"), "31\n7\n");
        Files.writeString(group.directories().get(0).resolve("cgroup.procs"), "7\n");
        Files.writeString(group.directories().get(1).resolve("cgroup.procs"), "");
        assertEquals(List.of(7L, 31L), group.processes());
    }

    @Test
    void whatARuntimeMadeInOtherHierarchiesGoesWithTheGroup() throws Exception {
        mounted("memory", V1, "rw,memory");
        Path devices = mounted("devices", V1, "rw,devices");
        mounted("unified", V2, "rw");
        LinuxCgroups cgroups = detected();
        Cgroups.Group group = cgroups.create("a.b");
        assertEquals("/cleat-agent1/a.b", group.path());
        Files.createDirectories(devices.resolve("cleat-agent1/a.b/deeper"));
        group.remove(Deadline.in(time, Duration.ofSeconds(5)));
        assertFalse(Files.exists(devices.resolve("cleat-agent1/a.b")));
        assertTrue(cgroups.removeParent());
        assertFalse(Files.exists(devices.resolve("cleat-agent1")));
    }

    private static String made(Path group, String file) throws IOException {
        return Files.readString(group.resolve(file));
    }

    @Test
    void versionOneLimitsMemoryAndSharesTheProcessors() throws Exception {
        mounted("memory", V1, "rw,memory");
        mounted("cpu", V1, "rw,cpu");
        mounted("pids", V1, "rw,pids");
        Cgroups.Group group = detected().create("alloc.web");
        Path memory = group.directories().get(0);
        Path cpu = group.directories().get(1);
        for (String file : List.of("memory.limit_in_bytes", "memory.soft_limit_in_bytes")) {
            Files.writeString(memory.resolve(file), "");
        }
        Files.writeString(cpu.resolve("cpu.shares"), "1024");
        Path pids = group.directories().get(2);
        Files.writeString(pids.resolve("pids.max"), "max");
        group.limit(new Cgroups.Limits(500, 1 << 20, 2 << 20, 4096));
        assertEquals("4096", made(pids, "pids.max"));
        assertEquals("2097152", made(memory, "memory.limit_in_bytes"));
        assertEquals("1048576", made(memory, "memory.soft_limit_in_bytes"));
        assertFalse(Files.exists(memory.resolve("memory.memsw.limit_in_bytes")));
        assertEquals("500", made(cpu, "cpu.shares").substring(0, 3));
    }

    @Test
    void versionTwoLimitsMemoryAndWeighsTheProcessors() throws Exception {
        mounted("unified", V2, "rw");
        Cgroups.Group group = detected().create("alloc.web");
        Path own = group.directories().getFirst();
        for (String file : List.of("memory.max", "memory.low", "memory.swap.max", "cpu.weight", "pids.max")) {
            Files.writeString(own.resolve(file), "");
        }
        group.limit(new Cgroups.Limits(1024, 1 << 20, 2 << 20, 4096));
        assertEquals("4096", made(own, "pids.max"));
        assertEquals("2097152", made(own, "memory.max"));
        assertEquals("1048576", made(own, "memory.low"));
        assertEquals("0", made(own, "memory.swap.max"));
        assertEquals("39", made(own, "cpu.weight"));
    }

    @Test
    void withoutControlGroupsTheReasonIsSaid() throws Exception {
        LinuxCgroups cgroups = detected();
        assertEquals(Cgroups.Layout.NONE, cgroups.layout());
        assertEquals("no control groups are mounted", cgroups.reason());
        assertEquals(List.of(), cgroups.create("a.b").directories());
    }

    @Test
    void thisMachinesGroupIsCountedKilledAndRemoved() throws Exception {
        Root.required("making control groups");
        Cgroups cgroups = Cgroups.linux("cleat-test-" + ProcessHandle.current().pid(), time);
        Assumptions.assumeTrue(cgroups.layout() != Cgroups.Layout.NONE, "reason: " + cgroups.reason());
        Cgroups.Group group = cgroups.create("alloc.task");
        Process shell = new ProcessBuilder(
                        "sh", "-c", "read go; sleep 0.01; echo in; while :; do sleep 0.01 & sleep 0.01; done")
                .start();
        Deadline deadline = Deadline.in(time, Duration.ofSeconds(20));
        try {
            group.add(shell.pid());
            shell.getOutputStream().write('\n');
            shell.getOutputStream().flush();
            assertTrue(group.processes().contains(shell.pid()));
            assertEquals('i', shell.getInputStream().read());
            assertTrue(group.stats().memoryMaxBytes().orElse(1) > 0);
            group.killAll(deadline);
            assertTrue(shell.waitFor(10, TimeUnit.SECONDS));
            assertEquals(List.of(), group.processes());
        } finally {
            shell.destroyForcibly();
            group.killAll(deadline);
            group.remove(deadline);
            group.remove(deadline);
            assertTrue(cgroups.removeParent());
        }
        assertEquals(List.of(), cgroups.names());
        for (Path directory : group.directories()) {
            assertFalse(Files.exists(directory.getParent()));
        }
    }
}
