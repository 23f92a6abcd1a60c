package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.ShimProgram;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failed run's remains, real ones: what the demo must find, and what it must take away. */
class CleanupTest {
    private final Time time = new SystemTime();

    @TempDir
    Path directory;

    @BeforeEach
    void needsRoot() throws Exception {
        Assumptions.assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "mounts and control groups need root");
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/sbin/mkfs.ext4")) || Files.isExecutable(Path.of("/sbin/mkfs.ext4")),
                "mkfs.ext4 is absent: ./dev setup -y brings it");
    }

    @Test
    void whatAFailedRunLeftIsSeenAndTakenAway() throws Exception {
        Workplace workplace =
                new Workplace(Files.createDirectory(directory.resolve("work")).toRealPath(), ShimProgram.built());
        Files.createDirectories(workplace.data());
        AgentProcess agent = new AgentProcess(Path.of("/bin/true"), workplace, 1, List.of());
        Traces traces = new Traces();
        Path canary = Files.writeString(directory.resolve("canary"), "mine");
        Files.createSymbolicLink(workplace.data().resolve("link"), directory);

        try {
            mount(workplace);
            String group = "cleat-" + directory.getFileName();
            Process task = task(workplace, group, true);
            Process contained = task(workplace, group, false);
            Leftovers leftovers = new Leftovers(workplace, Optional.empty(), traces);
            traces.addGroupsOf(OurProcess.naming(workplace.root().toString()));
            boolean hasGroups = !traces.cgroups().isEmpty();
            assertEquals(2, leftovers.mounts().size(), leftovers.mounts().toString());
            assertEquals(1, leftovers.loops().size(), leftovers.loops().toString());
            int expected = hasGroups ? 2 : 1;
            assertEquals(
                    expected,
                    leftovers.processes().size(),
                    leftovers.processes().toString());
            assertEquals(hasGroups, !leftovers.cgroups().isEmpty());

            assertEquals(List.of(), new Cleanup(workplace, agent, Optional.empty(), traces, time).run());

            assertTrue(task.waitFor(1, TimeUnit.SECONDS));
            assertEquals(hasGroups, contained.waitFor(1, TimeUnit.SECONDS));
            contained.destroyForcibly();
            assertEquals(List.of(), leftovers.mounts());
            assertEquals(List.of(), leftovers.loops());
            assertEquals(List.of(), leftovers.cgroups());
            assertFalse(Files.exists(workplace.root()));
            assertEquals("mine", Files.readString(canary));
        } finally {
            if (Files.exists(workplace.root())) {
                List<String> left = new Cleanup(workplace, agent, Optional.empty(), traces, time).run();
                System.getLogger("CleanupTest").log(System.Logger.Level.WARNING, "{0}", left);
            }
        }
    }

    /** An ext4 image on a loop device, mounted and bound: two mounts. */
    private void mount(Workplace workplace) throws Exception {
        Path image = workplace.data().resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(16 << 20);
        }
        Process mkfs = new ProcessBuilder("mkfs.ext4", "-q", image.toString())
                .redirectErrorStream(true)
                .start();
        assertEquals(0, mkfs.waitFor());
        LoopDevice device = LoopDevices.linux(time).attach(image, false);
        Path staged = Files.createDirectory(workplace.data().resolve("staged"));
        Path bound = Files.createDirectory(workplace.data().resolve("bound"));
        Mounts.linux().mount(device.path().toString(), staged, "ext4", Set.of(), "");
        Mounts.linux().bind(staged, bound);
    }

    /**
     * A process in a group as a task's is.
     *
     * @param isOutside whether it works in the mount and knows where that is, as no task in a container does
     */
    private Process task(Workplace workplace, String group, boolean isOutside) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sleep", "600");
        if (isOutside) {
            builder.environment().put("NOMAD_ALLOC_DIR", workplace.data().toString());
            builder.directory(workplace.data().resolve("bound").toFile());
        }
        Process task = builder.start();
        Cgroups.linux(group, time).create("task").add(task.pid());
        return task;
    }
}
