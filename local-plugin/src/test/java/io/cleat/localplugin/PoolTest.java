package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolTest {
    private final FakeTime time = new FakeTime();

    @TempDir
    Path directory;

    private Path root = Path.of("/");

    @BeforeEach
    void nameThePool() {
        root = directory.resolve("pool");
    }

    private Pool open() throws Exception {
        return Pool.open(root, Optional.of("n1"), time, Ids.random());
    }

    private static Volume directoryVolume(Pool pool, String name) throws Exception {
        Volume volume = volume(pool, name, VolumeType.DIRECTORY);
        pool.volumes().create(volume, DurableFiles::makeDirectory);
        return volume;
    }

    private static Volume volume(Pool pool, String name, VolumeType type) throws Exception {
        return Volume.created(pool.label(name, pool.volumes().lastOrder()), type, Optional.empty(), Volume.Shape.of(0));
    }

    @Test
    void whatIsCreatedIsFoundByASecondProcessOfThePool() throws Exception {
        Volume volume = directoryVolume(open(), "v");
        Pool other = open();
        assertEquals(Optional.of(volume), other.volumes().find(volume.id()));
        assertEquals(Optional.of(volume), other.volumes().named("v"));
        assertTrue(Files.isDirectory(other.volumes().content(volume)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(root)));
    }

    @Test
    void listsFollowTheOrderOfCreationThoughTheClockStands() throws Exception {
        Pool pool = open();
        for (String name : List.of("c", "a", "b")) {
            directoryVolume(pool, name);
        }
        assertEquals(
                List.of("c", "a", "b"),
                pool.volumes().list().stream().map(Volume::name).toList());
    }

    @Test
    void aDeletedVolumeLeavesNothing() throws Exception {
        Pool pool = open();
        Volume volume = directoryVolume(pool, "v");
        Files.createDirectories(pool.volumes().content(volume).resolve("a/b"));
        Files.writeString(pool.volumes().content(volume).resolve("a/b/c"), "data");
        pool.volumes().delete(volume);
        assertEquals(Optional.empty(), pool.volumes().find(volume.id()));
        assertEquals(List.of(), names(root.resolve("trash")));
        assertEquals(List.of(), names(root.resolve("volumes")));
    }

    private static List<String> names(Path directory) throws Exception {
        try (var entries = Files.list(directory)) {
            return entries.map(e -> e.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFailedMakingLeavesNoVolume() throws Exception {
        Pool pool = open();
        assertThrows(
                KernelTrouble.class,
                () -> pool.volumes().create(volume(pool, "v", VolumeType.EXT4), path -> {
                    DurableFiles.write(path, new byte[5]);
                    throw new KernelTrouble("no", Effect.NONE, Retry.NEVER);
                }));
        assertEquals(List.of(), names(root.resolve("volumes")));
        assertEquals(List.of(), pool.volumes().list());
    }

    @Test
    void leftoversAreClearedUnlessSomebodyWorksOnThemOrTheyAreNotOurs() throws Exception {
        Pool pool = open();
        String busy = "11111111-1111-1111-1111-111111111111";
        String left = "22222222-2222-2222-2222-222222222222";
        for (String made : List.of("volumes/.new-" + busy, "volumes/.new-" + left, "trash/" + left)) {
            Files.createDirectories(root.resolve(made).resolve("data"));
        }
        Files.createDirectories(root.resolve("volumes/.new-thing"));
        Files.writeString(root.resolve("trash/notes"), "of the operator");
        try (KeyLocks.Held _ = pool.hold(busy)) {
            pool.clearLeftovers();
        }
        assertEquals(List.of(".new-" + busy, ".new-thing"), names(root.resolve("volumes")));
        assertEquals(List.of("notes"), names(root.resolve("trash")));
    }

    @Test
    void aPoolThatOthersMayWriteToIsRefused() throws Exception {
        Files.createDirectory(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        CallRefused refused = assertThrows(CallRefused.class, this::open);
        assertTrue(refused.sentence().contains("chmod go-w"), refused::sentence);
        assertEquals(List.of(), names(root));
    }

    @Test
    void aPoolOfANewerProgramIsRefusedWithItsVersion() throws Exception {
        open();
        Files.writeString(root.resolve("pool"), "cleat local pool 7\n");
        DiskTrouble trouble = assertThrows(DiskTrouble.class, this::open);
        assertTrue(trouble.reason().contains("version 7"), trouble::reason);
    }

    @Test
    void aTornVolumeFileIsSaidAndNotTakenForAbsence() throws Exception {
        Pool pool = open();
        Volume volume = directoryVolume(pool, "v");
        Files.writeString(root.resolve("volumes").resolve(volume.id()).resolve("volume"), "");
        assertThrows(DiskTrouble.class, () -> pool.volumes().find(volume.id()));
    }

    private static Snapshot member(Pool pool, String id, String group) throws Exception {
        Snapshot member = new Snapshot(id, id, VolumeType.DIRECTORY, 1, "v", 0, Optional.of(group));
        pool.snapshots().create(member, DurableFiles::makeDirectory);
        return member;
    }

    @Test
    void aGroupThatWasBeingMadeOrDeletedIsClearedAndAWholeOneIsKept() throws Exception {
        Pool pool = open();
        String half = "11111111-1111-1111-1111-111111111111";
        String going = "22222222-2222-2222-2222-222222222222";
        String whole = "33333333-3333-3333-3333-333333333333";
        String kept = whole.replace("33333333-", "4444444f-");
        pool.groups().begin(half);
        member(pool, half.replace("11111111-", "aaaaaaaa-"), half);
        member(pool, going.replace("22222222-", "bbbbbbbb-"), going);
        pool.groups().save(new Groups.Group(going, "going", 1, List.of()));
        pool.groups().delete(going);
        pool.groups().save(new Groups.Group(whole, "whole", 2, List.of(kept)));
        pool.groups().begin(whole);
        Snapshot member = member(pool, kept, whole);
        assertFalse(pool.groups().isUnfinished(member));
        try (KeyLocks.Held _ = pool.hold(half)) {
            pool.clearLeftovers();
        }
        assertEquals(List.of(".new-" + half, whole), names(root.resolve("groups")));
        assertEquals(2, pool.snapshots().list().size());
        pool.clearLeftovers();
        assertEquals(List.of(whole), names(root.resolve("groups")));
        assertEquals(List.of(member), pool.snapshots().list());
        assertEquals(List.of(), pool.damages());
    }

    @Test
    void nodesAreKnownOnceTheyServed() throws Exception {
        Pool pool = open();
        Pool.open(root, Optional.of("../n 2"), time, Ids.random());
        assertTrue(pool.hasNode("n1"));
        assertTrue(pool.hasNode("../n 2"));
        assertFalse(pool.hasNode("n3"));
        assertEquals(2, names(root.resolve("nodes")).size());
    }

    @Test
    void anIdThatIsAPathIsNoVolume() throws Exception {
        Pool pool = open();
        assertEquals(Optional.empty(), pool.volumes().find("../volumes"));
        assertEquals(Optional.empty(), pool.volumes().find(""));
    }
}
