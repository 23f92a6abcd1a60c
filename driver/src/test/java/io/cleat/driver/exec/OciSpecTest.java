package io.cleat.driver.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.TaskNetwork;
import io.cleat.kernel.Mount;
import io.cleat.kernel.PathStat;
import io.cleat.model.NetworkDns;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a runtime is told, for machines of each kind. */
class OciSpecTest {
    @TempDir
    Path root;

    private Map<String, Object> spec(Resources resources, boolean limitsSwap, boolean recursive, List<TaskMount> mounts)
            throws Exception {
        return spec(resources, limitsSwap, recursive, mounts, Map.of());
    }

    private Map<String, Object> spec(
            Resources resources, boolean limitsSwap, boolean recursive, List<TaskMount> mounts, Map<Path, Path> instead)
            throws Exception {
        Files.createDirectories(root.resolve("etc"));
        Files.createDirectories(root.resolve("usr"));
        return new OciSpec(
                        Syscalls.read(),
                        new SystemFiles(root),
                        Map.of("nofile", 20_000L, "core", 0L),
                        limitsSwap,
                        recursive)
                .of(
                        new ContainerPlan(
                                "a.web",
                                List.of("sleep", "1"),
                                Map.of(),
                                "/",
                                List.of(65534L, 65534L),
                                false,
                                Capability.DEFAULTS,
                                Set.of(),
                                false,
                                false,
                                new TaskNetwork(
                                        Optional.of(Path.of("/run/netns/n")),
                                        Map.of(),
                                        "front",
                                        List.of("192.0.2.7"),
                                        NetworkDns.OF_NODE),
                                resources,
                                mounts,
                                sources(mounts),
                                Optional.empty()),
                        "/cleat-x/a.web",
                        Path.of("/opt/shim"),
                        instead);
    }

    /** Nothing is behind a path that is told to be a directory: nobody may look at it. */
    private static MountSources sources(List<TaskMount> mounts) {
        Map<Path, PathStat> found = new HashMap<>();
        for (TaskMount mount : mounts) {
            found.put(
                    mount.hostPath(),
                    switch (mount.hostPath().toString()) {
                        case "/dev/loop0" -> stat(PathStat.Type.BLOCK);
                        case "/hung/file" -> stat(PathStat.Type.FILE);
                        default -> stat(PathStat.Type.DIRECTORY);
                    });
        }
        return new MountSources(found);
    }

    private static PathStat stat(PathStat.Type type) {
        return new PathStat(
                type, 0700, 0, 0, 0, new Mount.Device(0, 5), new Mount.Device(7, 0), 1, PathStat.MountRoot.NO);
    }

    private static String at(Object value, String... keys) {
        return String.valueOf(reached(value, keys));
    }

    private static @Nullable Object reached(Object value, String... keys) {
        @Nullable Object found = value;
        for (String key : keys) {
            found = found instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return found;
    }

    @Test
    void theNetworkNamespaceOfAnAllocation_isJoined() throws Exception {
        Map<String, Object> spec = spec(Resources.NONE, true, true, List.of());
        String namespaces = at(spec, "linux", "namespaces");
        assertTrue(
                namespaces.contains(
                        Map.of("type", "network", "path", "/run/netns/n").toString()),
                namespaces);
        assertEquals("front", spec.get("hostname"));
    }

    @Test
    void limitsAreThoseOfTheTask() throws Exception {
        Map<String, Object> spec = spec(new Resources(500, 64, 128), true, true, List.of());
        assertEquals("/cleat-x/a.web", at(spec, "linux", "cgroupsPath"));
        assertEquals("500", at(spec, "linux", "resources", "cpu", "shares"));
        assertEquals("134217728", at(spec, "linux", "resources", "memory", "limit"));
        assertEquals("134217728", at(spec, "linux", "resources", "memory", "swap"));
        assertEquals("67108864", at(spec, "linux", "resources", "memory", "reservation"));
        assertEquals("4096", at(spec, "linux", "resources", "pids", "limit"));
        Map<String, Object> own = spec(new Resources(0, 64, 0).on(List.of(0, 2), 700), true, true, List.of());
        assertEquals("{shares=700, cpus=0,2}", at(own, "linux", "resources", "cpu"));
        Map<String, Object> plain = spec(new Resources(1, 64, 0), false, true, List.of());
        assertEquals("2", at(plain, "linux", "resources", "cpu", "shares"));
        assertEquals("{limit=67108864}", at(plain, "linux", "resources", "memory"));
        assertEquals("null", at(spec(Resources.NONE, true, true, List.of()), "linux", "resources", "memory"));
        Map<String, Object> files = Map.of("type", "RLIMIT_NOFILE", "soft", 20_000L, "hard", 20_000L);
        Map<String, Object> core = Map.of("type", "RLIMIT_CORE", "soft", 0L, "hard", 0L);
        assertEquals(List.of(core, files), reached(plain, "process", "rlimits"));
    }

    private static String options(Map<String, Object> spec, String target) {
        return spec.get("mounts") instanceof List<?> mounts
                ? mounts.stream()
                        .filter(mount -> at(mount, "destination").equals(target))
                        .map(mount -> at(mount, "options"))
                        .findFirst()
                        .orElse("none")
                : "none";
    }

    @Test
    void aFileThatIsPutInThePlaceOfTheMachinesIsShownReadOnly() throws Exception {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "");
        Map<Path, Path> instead = Map.of(Path.of("/etc/passwd"), Path.of("/own/passwd"));
        Map<String, Object> spec = spec(Resources.NONE, true, true, List.of(), instead);
        assertEquals("[bind, private, ro]", options(spec, "/etc/passwd"));
        assertTrue(at(spec, "mounts").contains("source=/own/passwd"), at(spec, "mounts"));
        assertFalse(at(spec, "mounts").contains("source=/etc/passwd"), at(spec, "mounts"));
    }

    @Test
    void mountsSpreadAndAreReadOnlyAsFarAsTheKernelCan() throws Exception {
        Path hung = Path.of("/hung/volume");
        Path file = Path.of("/hung/file");
        List<TaskMount> mounts = List.of(
                new TaskMount(hung, "/out", false, "bidirectional"),
                new TaskMount(hung, "/in", true, "host-to-task"),
                new TaskMount(file, "/file", true, "private"));
        Map<String, Object> spec = spec(Resources.NONE, true, true, mounts);
        assertEquals("[nosuid, nodev, rbind, rshared]", options(spec, "/out"));
        assertEquals("[nosuid, nodev, rbind, rslave, ro, rro]", options(spec, "/in"));
        assertEquals("[bind, private, ro]", options(spec, "/file"));
        assertEquals("shared", at(spec, "linux", "rootfsPropagation"));
        Map<String, Object> older = spec(Resources.NONE, true, false, mounts.subList(1, 2));
        assertEquals("[nosuid, nodev, bind, rslave, ro]", options(older, "/in"));
        assertEquals("slave", at(older, "linux", "rootfsPropagation"));
    }

    @Test
    void aVolumeGivesNobodyTheRightsOfAnotherNorADevice() throws Exception {
        List<TaskMount> mounts = List.of(
                new TaskMount(Path.of("/held/0"), "/data", false, "private", true),
                new TaskMount(Path.of("/dev/loop0"), "/disk", true, "private", true));
        Map<String, Object> spec = spec(Resources.NONE, true, true, mounts);
        assertEquals("[nosuid, nodev, rbind, rprivate]", options(spec, "/data"));
        assertEquals("[nosuid, bind, private, ro]", options(spec, "/disk"));
    }

    @Test
    void theHostsDevicesComeInsteadOfAFewAndMayBeUsed() throws Exception {
        Map<String, Object> few = spec(Resources.NONE, true, true, List.of());
        assertFalse(options(few, "/dev/shm").equals("none"));
        assertTrue(at(few, "linux", "resources", "devices").contains("allow=false"));
        Map<String, Object> all =
                spec(Resources.NONE, true, true, List.of(new TaskMount(Path.of("/dev"), "/dev", false, "private")));
        assertEquals("none", options(all, "/dev/shm"));
        assertTrue(at(all, "linux", "resources", "devices").contains("allow=true"));
    }

    @Test
    void aBlockDeviceMayBeUsedAsItIsMounted() throws Exception {
        Path device = Path.of("/dev/loop0");
        for (boolean readOnly : List.of(false, true)) {
            Map<String, Object> spec =
                    spec(Resources.NONE, true, true, List.of(new TaskMount(device, "/dev/disk", readOnly, "private")));
            List<?> rules = assertInstanceOf(List.class, reached(spec, "linux", "resources", "devices"));
            assertEquals(2, rules.size(), rules.toString());
            assertEquals("false", at(rules.getFirst(), "allow"));
            assertEquals(
                    Map.of("allow", true, "type", "b", "major", 7L, "minor", 0L, "access", readOnly ? "r" : "rw"),
                    rules.getLast());
            assertEquals(readOnly ? "[bind, private, ro]" : "[bind, private]", options(spec, "/dev/disk"));
        }
    }

    @Test
    void systemCallsOpenWithTheirCapability() {
        Syscalls syscalls = Syscalls.read();
        Set<String> everybody = syscalls.open(Set.of());
        assertTrue(everybody.containsAll(List.of("read", "openat", "execve", "futex")));
        for (String closed : List.of("mount", "unshare", "setns", "bpf", "kexec_load", "keyctl", "clone3")) {
            assertFalse(everybody.contains(closed), closed);
        }
        assertTrue(syscalls.open(Set.of("sys_admin")).containsAll(List.of("mount", "umount2")));
        assertFalse(syscalls.open(Set.of("sys_admin")).contains("reboot"));
        assertTrue(syscalls.open(Set.of("sys_boot")).contains("reboot"));
    }

    /** A bit above those that the kernel reads made a barred family another number. */
    @Test
    void ofSocketsTheUsualFamiliesAreLetThrough_byTheHalfThatTheKernelReads() {
        Object rules = Syscalls.read().profile(Set.of()).get("syscalls");
        List<String> ofSockets = ((List<?>) Objects.requireNonNull(rules))
                .stream()
                        .map(String::valueOf)
                        .filter(rule -> rule.contains("[socket]"))
                        .toList();
        assertEquals(5, ofSockets.size(), ofSockets.toString());
        for (String rule : ofSockets) {
            assertTrue(rule.contains("SCMP_CMP_MASKED_EQ"), rule);
            assertTrue(rule.contains("value=" + 0xFFFFFFFFL), rule);
        }
    }

    @Test
    void releasesOfTheKernelAreCompared() {
        assertTrue(KernelVersion.of("6.1.0-18-amd64").isAtLeast(5, 12));
        assertTrue(KernelVersion.of("5.12").isAtLeast(5, 12));
        assertFalse(KernelVersion.of("5.4.0").isAtLeast(5, 12));
        assertFalse(KernelVersion.of("unknown").isAtLeast(1, 0));
    }
}
