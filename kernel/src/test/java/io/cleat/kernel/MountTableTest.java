package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static MountTable table(String... lines) throws KernelTrouble {
        return MountTable.parse((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static final String ROOT = "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw";

    @Test
    void readsEveryFieldOfALine() throws KernelTrouble {
        Mount mount = table(
                        ROOT,
                        "42 27 7:3 /sub/dir /srv/vol ro,nosuid shared:9 master:4 propagate_from:2 unbindable"
                                + " - ext4 /dev/loop3 rw,errors=remount-ro")
                .mounts()
                .get(1);
        assertEquals(42, mount.id());
        assertEquals(27, mount.parent());
        assertEquals(new Mount.Device(7, 3), mount.device());
        assertEquals("/sub/dir", mount.root());
        assertEquals("/srv/vol", mount.target());
        assertEquals(List.of("ro", "nosuid"), mount.options());
        assertEquals(new Mount.Propagation(OptionalInt.of(9), OptionalInt.of(4), true), mount.propagation());
        assertEquals("ext4", mount.fsType());
        assertEquals("/dev/loop3", mount.source());
        assertEquals(List.of("rw", "errors=remount-ro"), mount.superOptions());
        assertTrue(mount.isReadOnly());
    }

    @Test
    void aLineWithoutOptionalFieldsIsPrivate() throws KernelTrouble {
        Mount mount = table("27 1 254:0 / / rw - ext4 /dev/vda rw").mounts().getFirst();
        assertTrue(mount.propagation().isPrivate());
        assertFalse(mount.isReadOnly());
    }

    @Test
    void escapedCharactersAreRead() throws KernelTrouble {
        MountTable table = table(ROOT, "50 27 0:40 / /a\\040b\\011c\\012d\\134e/\u00fc rw - tmpfs x\\040y rw");
        Mount mount = table.mounts().get(1);
        assertEquals("/a b\tc\nd\\e/\u00fc", mount.target());
        assertEquals("x y", mount.source());
    }

    @Test
    void anEmptySourceIsAField() throws KernelTrouble {
        assertEquals(
                "", table("50 1 0:40 / / rw - tmpfs  rw").mounts().getFirst().source());
    }

    @Test
    void theTopmostOfAStackIsFound() throws KernelTrouble {
        MountTable table = table(ROOT, "51 50 0:41 / /v rw - tmpfs upper rw", "50 27 0:40 / /v rw - tmpfs lower rw");
        assertEquals("upper", table.at(Path.of("/v")).orElseThrow().source());
        assertEquals(2, table.atOrBelow(Path.of("/v")).size());
    }

    @Test
    void aCoveredMountIsNotReachedButCounts() throws KernelTrouble {
        MountTable table =
                table(ROOT, "50 27 0:40 / /v/inner rw - tmpfs covered rw", "51 27 0:41 / /v rw - tmpfs cover rw");
        assertTrue(table.at(Path.of("/v/inner")).isEmpty());
        assertEquals("cover", table.holding(Path.of("/v/inner")).orElseThrow().source());
        assertEquals(2, table.atOrBelow(Path.of("/v")).size());
        assertEquals(1, table.atOrBelow(Path.of("/v/inner")).size());
    }

    @Test
    void aNameThatBeginsAlikeIsNotBelow() throws KernelTrouble {
        MountTable table = table(ROOT, "50 27 0:40 / /vol2 rw - tmpfs t rw");
        assertTrue(table.atOrBelow(Path.of("/vol")).isEmpty());
        assertEquals(2, table.atOrBelow(Path.of("/")).size());
    }

    @Test
    void aTargetThatWasRemovedStillCountsAsBelow() throws KernelTrouble {
        MountTable table = table(ROOT, "50 27 0:40 / /v/gone//deleted rw - tmpfs t rw");
        assertEquals(1, table.atOrBelow(Path.of("/v")).size());
    }

    @Test
    void aLineThatIsNotAMountIsTrouble() {
        for (String line : List.of("x", "27 1 254:0 / / rw", "27 1 254 / / rw - a b c", "a b 0:1 / / rw - a b c")) {
            assertThrows(KernelTrouble.class, () -> table(line), line);
        }
    }

    @Test
    void anAbsenceIsBelievedAfterTwoEqualReadings() throws KernelTrouble {
        MountTable full = table(ROOT, "50 27 0:40 / /v rw - tmpfs t rw");
        MountTable torn = table(ROOT);
        ArrayDeque<MountTable> readings = new ArrayDeque<>(List.of(full, torn, full, full));
        assertEquals(full, MountTable.readTwice(readings::remove));
        assertTrue(readings.isEmpty());
    }

    @Test
    void aTableThatNeverSettlesIsTrouble() {
        AtomicInteger device = new AtomicInteger();
        KernelTrouble trouble = assertThrows(
                KernelTrouble.class,
                () -> MountTable.readTwice(
                        () -> table(ROOT, "50 27 0:" + device.incrementAndGet() + " / /v rw - tmpfs t rw")));
        assertEquals(Effect.NONE, trouble.effect());
    }

    @Test
    void thisMachinesTableIsRead() throws KernelTrouble {
        MountTable table = MountTable.readTwice();
        assertTrue(table.at(Path.of("/proc")).isPresent());
        assertEquals("proc", table.at(Path.of("/proc")).orElseThrow().fsType());
        assertTrue(table.holding(Path.of("/")).isPresent());
    }
}
