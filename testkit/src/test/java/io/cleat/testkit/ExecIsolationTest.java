package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a task in a container can and cannot do, tried from inside. */
@Timeout(120)
class ExecIsolationTest {
    private static final String ID = "alloc/web/ffffffff";

    private final Processes processes = Processes.linux();

    @TempDir
    Path temporary;

    private @Nullable ExecGround made;

    @BeforeEach
    void makeGround() throws Exception {
        made = new ExecGround(temporary, ExecSettings.STRICT, ExecGround.usualPath());
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        if (made != null) {
            made.end();
        }
    }

    private ExecGround ground() {
        if (made == null) {
            throw new IllegalStateException("no ground");
        }
        return made;
    }

    private static Map<String, Object> sh(String script) {
        return Map.of("command", "/bin/sh", "args", List.of("-c", script));
    }

    private TaskConfig config(Map<String, Object> block, String user) {
        return ground().config(ID, block, user, Resources.NONE, List.of());
    }

    /** Runs a script to its end; what it said. */
    private String said(String script, String user) throws Exception {
        TaskHandle task = ground().driver().start(config(sh(script), user));
        ExitResult end = ground().driver().await(task);
        String text = ground().output("stdout");
        String errors = ground().output("stderr");
        ground().driver().destroy(task);
        assertTrue(end.isSuccess(), end + text + errors);
        Files.delete(ground().root().resolve("logs/web.stdout.0"));
        Files.delete(ground().root().resolve("logs/web.stderr.0"));
        return text;
    }

    @Test
    void aTaskHasItsOwnDirectoriesAndTheSystemsAndNothingElse() throws Exception {
        assertEquals(
                "/\nhello\nworld\nalloc local secrets tmp\n",
                said(
                        "pwd; echo \"$GREETING\"; for d in alloc local secrets tmp; do"
                                + " echo x > /$d/written || exit 1; done;"
                                + " cd /; echo alloc local secrets tmp",
                        ""));
        assertTrue(Files.exists(ground().root().resolve("task/secrets/written")));
        String seen = said("ls -A / | tr '\\n' ' '", "root");
        for (String entry : seen.strip().split(" ", -1)) {
            assertTrue(
                    List.of(
                                    ".cleat-init",
                                    "alloc",
                                    "bin",
                                    "dev",
                                    "etc",
                                    "lib",
                                    "lib32",
                                    "lib64",
                                    "libx32",
                                    "local",
                                    "proc",
                                    "sbin",
                                    "secrets",
                                    "sys",
                                    "tmp",
                                    "usr")
                            .contains(entry),
                    seen);
        }
    }

    @Test
    void logsAreShownToATaskAndItCanNeitherWriteNorRenameThem() throws Exception {
        String tries = "echo seen; ls /alloc/logs; for way in 'mv /alloc/logs /alloc/x' 'rmdir"
                + " /alloc/logs' 'touch /alloc/logs/x' 'rm /alloc/logs/web.stdout.0' 'mknod"
                + " /alloc/logs/web.stdout.1 p' 'ln -sfT /tmp /alloc/logs'; do"
                + " $way 2>/dev/null && echo $way; done; echo tried";
        assertEquals("seen\nweb.stderr.0\nweb.stdout.0\ntried\n", said(tries, "root"));
        assertEquals("seen\nweb.stderr.0\nweb.stdout.0\ntried\n", said(tries, ""));
    }

    @Test
    void theAgentsSocketAndOtherTasksAndPluginsAreOutOfReach() throws Exception {
        for (String secret : List.of("http.sock", "other-task", "csi/plugins/csi.sock")) {
            Path path = ground().root().resolve(secret);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "secret");
            for (String way : List.of(
                    path.toString(),
                    "/proc/1/root" + path,
                    "/local/../../.." + path,
                    "/proc/" + ProcessHandle.current().pid() + "/root" + path)) {
                assertEquals("no\n", said("test -e '" + way + "' && echo yes || echo no", "root"));
            }
        }
        assertEquals("no\n", said("mount -t tmpfs none /tmp 2>/dev/null && echo yes || echo no", "root"));
        assertEquals("no\n", said("unshare -m true 2>/dev/null && echo yes || echo no", "root"));
        assertEquals(
                "no\n",
                said(
                        "for d in /tmp /local /alloc /alloc/logs /dev; do mknod $d/disk b 7 0"
                                + " 2>/dev/null && echo $d; done; echo no",
                        "root"));
    }

    @Test
    void systemDirectoriesAreReadOnlyAllTheWayDown() throws Exception {
        assertEquals(
                "no\n",
                said(
                        "for d in / /usr /usr/lib /etc /etc/ssl /sys /proc/sys/kernel; do"
                                + " if touch $d/x 2>/dev/null; then echo $d; fi; done; echo no",
                        "root"));
        Path rootfs = ground().root().resolve("exec/containers/alloc.web.ffffffff/rootfs");
        TaskHandle task = ground().driver().start(config(sh("sleep 300"), ""));
        // Bound, not copied: on the host there is nothing below the place where it is seen.
        assertEmpty(rootfs.resolve("usr"));
        ground().driver().destroy(task);
    }

    private static void assertEmpty(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            assertEquals(List.of(), entries.toList());
        }
    }

    private Map<String, String> status(String user) throws Exception {
        Map<String, String> status = new TreeMap<>();
        said("cat /proc/self/status", user)
                .lines()
                .forEach(line -> status.put(line.split(":\\s*", 2)[0], line.split(":\\s*", 2)[1]));
        return status;
    }

    @Test
    void aTaskIsNobodyWithoutPowersUnderAFilter() throws Exception {
        Map<String, String> nobody = status("");
        assertEquals("65534\t65534\t65534\t65534", nobody.get("Uid"));
        assertEquals("0000000000000000", nobody.get("CapEff"));
        assertEquals("00000000a00405fb", nobody.get("CapBnd"));
        assertEquals("1", nobody.get("NoNewPrivs"));
        assertEquals("2", nobody.get("Seccomp"));
        assertEquals("1000\t1000\t1000\t1000", status("1000").get("Uid"));
        assertEquals("7\t7\t7\t7", status("1000:7").get("Gid"));
        Map<String, String> root = status("root");
        assertEquals("0\t0\t0\t0", root.get("Uid"));
        assertEquals("00000000a00405fb", root.get("CapEff"));
        DriverTrouble unknown =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(config(sh("true"), "no-such-user")));
        assertTrue(unknown.reason().contains("no-such-user"), unknown.reason());
    }

    private TaskConfig own(String id, String user, Map<String, Object> block) {
        TaskConfig plain = ground().config(id, block, "", Resources.NONE, List.of());
        return new TaskConfig(
                plain.id(),
                plain.allocId(),
                plain.task(),
                plain.config(),
                plain.env(),
                user,
                true,
                plain.resources(),
                plain.allocDir(),
                plain.taskDir(),
                plain.mounts(),
                plain.pluginVolumes(),
                plain.ports(),
                plain.logs());
    }

    /** Beside the host's processes, which the other task sees and may be the same user as. */
    @Test
    void aTaskWithAUserOfItsOwn_isReadByNoOtherTask_andIsCalledNobodyInside() throws Exception {
        ground().make(ExecSettings.allowing(List.of(), true, List.of()), ExecGround.usualPath());
        TaskHandle task = ground().driver().start(own(ID, "70001", sh("exec sleep 300")));
        String reads = "for p in /proc/[0-9]*; do if grep -qx sleep $p/comm && grep -qz ^GREETING="
                + " $p/environ; then echo read; fi; done 2>/dev/null; echo tried; id -un;"
                + " id -u; grep -c ^nobody: /etc/passwd; echo ~nobody";
        // As the same user too, so that it is the user who makes the difference.
        for (String reader : List.of("70001", "70002")) {
            Map<String, Object> block = Map.of("command", "/bin/sh", "args", List.of("-c", reads), "pid_mode", "host");
            TaskHandle other = ground().driver().start(own("alloc/web/eeeeeee" + reader.charAt(4), reader, block));
            assertTrue(ground().driver().await(other).isSuccess(), ground().output("stderr"));
            assertEquals(
                    (reader.equals("70001") ? "read\n" : "") + "tried\nnobody\n" + reader + "\n1\n/local\n",
                    ground().output("stdout"));
            ground().driver().destroy(other);
            Files.delete(ground().root().resolve("logs/web.stdout.0"));
        }
        ground().driver().destroy(task);
    }

    @Test
    void aTaskSeesItsOwnProcessesOnlyAndHasNoLimitAboveOurs() throws Exception {
        assertEquals("/.cleat-init\n", said("tr '\\0' '\\n' < /proc/1/cmdline | head -1", ""));
        int seen = said("ls -d /proc/[0-9]*", "").split("\n", -1).length;
        assertTrue(seen < 7, "processes seen: " + seen);
        String hard = said("ulimit -Hn", "").strip();
        String own = Files.readString(Path.of("/proc/self/limits"));
        long ours = own.lines()
                .filter(line -> line.startsWith("Max open files"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[4]))
                .findFirst()
                .orElseThrow();
        assertTrue(Long.parseLong(hard) <= ours, hard + " of " + ours);
    }

    @Test
    void whatIsNotAllowedIsRefusedWithTheWayToAllowIt() {
        Map<String, Map<String, Object>> refused = Map.of(
                "-exec-allow-cap",
                Map.of("command", "x", "cap_add", List.of("CAP_SYS_ADMIN")),
                "no capability",
                Map.of("command", "x", "cap_drop", List.of("flying")),
                "-exec-allow-host-namespaces",
                Map.of("command", "x", "pid_mode", "host"),
                "must be \"private\" or \"host\"",
                Map.of("command", "x", "ipc_mode", "other"),
                "-exec-allow-path",
                Map.of("command", "x", "host_paths", List.of("/etc")),
                "-exec-image-path",
                Map.of("image", "/etc/image.tar"),
                "config has the key 'privileged'",
                Map.of("command", "x", "privileged", true));
        refused.forEach((words, block) -> {
            List<String> faults = ground().driver().faults(block);
            assertEquals(1, faults.size(), faults.toString());
            assertTrue(faults.getFirst().contains(words), faults.toString());
        });
    }

    @Test
    void anAllowedCapabilityReachesAUserThatIsNotRoot() throws Exception {
        ground().make(ExecSettings.allowing(List.of("net_raw"), false, List.of()), ExecGround.usualPath());
        Map<String, Object> block = Map.of(
                "command",
                "sh",
                "args",
                List.of("-c", "grep CapEff /proc/self/status"),
                "cap_drop",
                List.of("all"),
                "cap_add",
                List.of("NET_RAW"));
        TaskHandle task = ground().driver().start(config(block, ""));
        assertTrue(ground().driver().await(task).isSuccess());
        assertEquals("CapEff:\t0000000000002000\n", ground().output("stdout"));
        ground().driver().destroy(task);
    }

    @Test
    void memoryIsLimitedAndItsEndIsSaid() throws Exception {
        TaskHandle task = ground().driver()
                .start(ground().config(
                                ID, sh("tail /dev/zero; echo survived"), "", new Resources(100, 32, 48), List.of()));
        ExitResult end = ground().driver().await(task);
        assertTrue(end.oomKilled(), end.toString());
        assertFalse(end.isSuccess());
        ground().driver().destroy(task);
    }

    @Test
    void aTaskWithACoreOfItsOwn_runsOnNoOther() throws Exception {
        Assumptions.assumeTrue(
                Files.isDirectory(Path.of("/sys/fs/cgroup/cpuset"))
                        || Files.readString(Path.of("/sys/fs/cgroup/cgroup.controllers"))
                                .contains("cpuset"),
                "reason: the kernel has no control groups for cores");
        TaskHandle task = ground().driver()
                .start(ground().config(
                                ID,
                                sh("grep Cpus_allowed_list /proc/self/status"),
                                "",
                                new Resources(0, 32, 0).on(List.of(0), 1000),
                                List.of()));
        assertTrue(ground().driver().await(task).isSuccess());
        assertEquals("Cpus_allowed_list:\t0\n", ground().output("stdout"));
        ground().driver().destroy(task);
    }

    @Test
    void whatATaskUsesIsMeasured() throws Exception {
        TaskHandle task = ground().driver().start(config(sh("while :; do :; done"), ""));
        Eventually.holds(() -> ground().driver().stats(task).cpuUserNanos() > 0, "processor time is counted");
        assertEquals(2, ground().driver().stats(task).pids().size());
        ground().driver().destroy(task);
    }

    @Test
    void whatCannotBeExecutedSaysWhyAndLeavesNothing() throws Exception {
        for (String command : List.of("/no/such/program", "no-such-command", "/etc/passwd")) {
            TaskConfig config = config(Map.of("command", command), "");
            DriverTrouble trouble =
                    assertThrows(DriverTrouble.class, () -> ground().driver().start(config));
            assertEquals(Effect.NONE, trouble.effect(), trouble.reason());
            assertTrue(trouble.reason().contains(command), trouble.reason());
            assertTrue(ground().driver().find(config).isEmpty());
        }
    }

    @Test
    void aTaskWhoseShimWasKilledIsEndedAndSaidToBeLost() throws Exception {
        TaskHandle task = ground().driver().start(config(sh("sleep 3030 & wait"), ""));
        Path state = ground().root().resolve("exec/shims/alloc.web.ffffffff/state");
        List<Long> ids = Files.readAllLines(state).stream()
                .filter(line -> line.startsWith("shim ") || line.startsWith("child "))
                .map(line -> Long.parseLong(line.split(" ", -1)[1]))
                .toList();
        processes.signal(processes.identify(ids.get(0)).orElseThrow(), Processes.SIGKILL);
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground().driver().await(task));
        assertEquals(Effect.APPLIED, trouble.effect());
        assertTrue(processes.identify(ids.get(1)).isEmpty());
        ground().driver().destroy(task);
    }

    @Test
    void versionTwoLimitsWhatTheContainerUses() throws Exception {
        Assumptions.assumeTrue(
                ground().cgroups().layout() == Cgroups.Layout.V2,
                "reason: this machine's control groups are "
                        + ground().cgroups().layout());
        TaskHandle task = ground().driver()
                .start(ground().config(ID, sh("sleep 300"), "", new Resources(1024, 32, 48), List.of()));
        Path group =
                ground().cgroups().group("alloc.web.ffffffff").directories().getFirst();
        assertEquals("50331648\n", Files.readString(group.resolve("memory.max")));
        assertEquals("4096\n", Files.readString(group.resolve("pids.max")));
        ground().driver().destroy(task);
    }
}
