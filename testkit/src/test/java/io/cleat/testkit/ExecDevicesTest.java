package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Raw block devices in a container: real ones, used from inside. */
@Timeout(120)
class ExecDevicesTest {
    private static final String NAME = "alloc.web.ffffffff";

    private final LoopDevices loops = LoopDevices.linux(new SystemTime());
    private final List<Path> files = new ArrayList<>();

    @TempDir
    Path temporary;

    private @Nullable ExecGround made;

    @BeforeEach
    void makeGround() throws Exception {
        made = new ExecGround(
                temporary, ExecSettings.allowing(List.of("mknod"), false, List.of()), ExecGround.usualPath());
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (Path file : files) {
            loops.detach(file);
        }
        if (made != null) {
            made.end();
        }
    }

    private LoopDevice device(String name) throws Exception {
        Path file = Files.writeString(temporary.resolve(name), name.repeat(4096));
        files.add(file);
        return loops.attach(file, false);
    }

    @Test
    void aTaskUsesTheDevicesItWasGivenAsItMay_andNoOther() throws Exception {
        ExecGround ground = made;
        if (ground == null) {
            throw new IllegalStateException("no ground");
        }
        LoopDevice disk = device("disk");
        LoopDevice kept = device("kept");
        LoopDevice other = device("else");
        String script = """
                printf hello | dd of=/dev/disk conv=notrunc,fsync 2>/dev/null || echo disk not written
                head -c 5 /dev/disk
                head -c 4 /dev/kept
                mknod /tmp/kept b 7 %d && mknod /tmp/else b 7 %d || exit 1
                for to in /dev/kept /tmp/kept /tmp/else; do
                  if printf x | dd of=$to conv=notrunc,fsync 2>/dev/null; then echo $to written; fi
                done
                if head -c 1 /tmp/else 2>/dev/null; then echo else read; fi
                echo
                exec sleep 300
                """.formatted(kept.number(), other.number());
        TaskHandle task = ground.driver()
                .start(ground.config(
                        "alloc/web/ffffffff",
                        Map.of("command", "/bin/sh", "args", List.of("-c", script), "cap_add", List.of("mknod")),
                        "root",
                        Resources.NONE,
                        List.of(
                                new TaskMount(disk.path(), "/dev/disk", false, "private"),
                                new TaskMount(kept.path(), "/dev/kept", true, "private"))));
        Eventually.holds(() -> ground.output("stdout").contains("\n"), "it has tried all");
        assertEquals("hellokept\n", ground.output("stdout"), ground.output("stderr"));
        Path group =
                Path.of("/sys/fs/cgroup/devices" + ground.cgroups().group(NAME).path());
        if (Files.exists(group)) {
            List<String> rules = Files.readAllLines(group.resolve("devices.list"));
            assertTrue(rules.contains("b 7:" + disk.number() + " rw"), rules.toString());
            assertTrue(rules.contains("b 7:" + kept.number() + " r"), rules.toString());
            assertEquals(
                    2, rules.stream().filter(rule -> rule.startsWith("b 7:")).count(), "" + rules);
        }
        ground.driver().destroy(task);
        assertTrue(Files.readString(files.getFirst()).startsWith("hello"));
        assertTrue(Files.readString(files.getLast()).startsWith("else"));
    }
}
