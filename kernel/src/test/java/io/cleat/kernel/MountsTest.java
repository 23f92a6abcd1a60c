package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountsTest {
    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private Path a = root;
    private Path b = root;

    @BeforeEach
    void makeDirectories() throws IOException {
        Root.required("mounting");
        root = temporary.toRealPath();
        a = Files.createDirectory(root.resolve("a"));
        b = Files.createDirectory(root.resolve("b"));
    }

    @AfterEach
    void leaveNothingMounted() throws KernelTrouble {
        for (Mount mount : mounts.table().atOrBelow(root).reversed()) {
            mounts.detach(Path.of(mount.target()));
        }
        assertEquals(List.of(), mounts.table().atOrBelow(root));
    }

    @Test
    void whatIsMountedIsInTheTableUntilItIsUnmounted() throws Exception {
        mounts.mount("cleat-test", a, "tmpfs", Set.of(Mounts.Flag.NO_SUID), "size=1m");
        Mount mount = mounts.table().at(a).orElseThrow();
        assertEquals("cleat-test", mount.source());
        assertTrue(mount.options().contains("nosuid"));
        assertTrue(mounts.unmount(a));
        assertFalse(mounts.unmount(a));
        assertTrue(mounts.table().at(a).isEmpty());
    }

    @Test
    void aReadOnlyBindRefusesWritesAndKeepsItsOtherOptions() throws Exception {
        mounts.mount("cleat-test", a, "tmpfs", Set.of(Mounts.Flag.NO_DEVICES), "");
        Files.writeString(a.resolve("file"), "x");
        mounts.bind(a, b);
        mounts.remountReadOnly(b);
        assertEquals("x", Files.readString(b.resolve("file")));
        assertThrows(IOException.class, () -> Files.writeString(b.resolve("other"), "y"));
        Files.writeString(a.resolve("other"), "y");
        Mount mount = mounts.table().at(b).orElseThrow();
        assertTrue(mount.isReadOnly());
        assertTrue(mount.options().contains("nodev"));
        assertFalse(mounts.table().at(a).orElseThrow().isReadOnly());
    }

    @Test
    void mountsSpreadFromASharedMountToItsSlaveAndNotBack() throws Exception {
        mounts.bind(a, a);
        mounts.spread(a, Mounts.Spread.SHARED);
        mounts.bindAll(a, b);
        mounts.spread(b, Mounts.Spread.SLAVE);
        assertTrue(mounts.table().at(a).orElseThrow().propagation().isShared());
        assertTrue(mounts.table().at(b).orElseThrow().propagation().isSlave());
        Path inner = Files.createDirectory(a.resolve("inner"));
        mounts.mount("cleat-test", inner, "tmpfs", Set.of(), "");
        assertTrue(mounts.table().at(b.resolve("inner")).isPresent());
        mounts.spread(a, Mounts.Spread.PRIVATE);
        assertTrue(mounts.table().at(a).orElseThrow().propagation().isPrivate());
    }

    @Test
    void aMountInUseIsRefusedWithoutEffect() throws Exception {
        mounts.mount("cleat-test", a, "tmpfs", Set.of(), "");
        try (OutputStream open = Files.newOutputStream(a.resolve("file"))) {
            open.write(1);
            KernelTrouble busy = assertThrows(KernelTrouble.class, () -> mounts.unmount(a));
            assertEquals(Effect.NONE, busy.effect());
            assertEquals(Retry.SAME_CALL, busy.retry());
            assertTrue(busy.reason().contains("EBUSY"), busy.reason());
        }
        assertTrue(mounts.unmount(a));
    }

    @Test
    void aLinkAtTheTargetIsNotFollowedWhenUnmounting() throws Exception {
        mounts.mount("cleat-test", a, "tmpfs", Set.of(), "");
        Path link = Files.createSymbolicLink(root.resolve("link"), a);
        assertFalse(mounts.unmount(link));
        assertTrue(mounts.table().at(a).isPresent());
    }

    @Test
    void aVirtualThreadMayMount() throws Exception {
        AtomicReference<Object> seen = new AtomicReference<>("nothing");
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        mounts.bind(a, b);
                        seen.set(mounts.table().at(b).isPresent());
                    } catch (KernelTrouble trouble) {
                        seen.set(trouble);
                    }
                })
                .join();
        assertEquals(true, seen.get());
    }

    @Test
    void whatCannotBeMountedNamesTheReason() {
        KernelTrouble trouble =
                assertThrows(KernelTrouble.class, () -> mounts.mount("x", a.resolve("absent"), "tmpfs", Set.of(), ""));
        assertTrue(trouble.reason().contains("ENOENT"), trouble.reason());
    }
}
