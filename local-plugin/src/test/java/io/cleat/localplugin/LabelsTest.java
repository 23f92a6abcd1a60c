package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A creation read the files of all volumes of the pool, up to three times. */
class LabelsTest {
    private final Map<String, Optional<Volume>> files = new TreeMap<>();
    private final List<String> read = new ArrayList<>();
    private final Labels<Volume> labels = new Labels<>();

    private Labels.Look<Volume> look() throws DiskTrouble {
        read.clear();
        return labels.look(List.copyOf(files.keySet()), id -> {
            read.add(id);
            Optional<Volume> kept = files.getOrDefault(id, Optional.empty());
            Optional<RecordDamaged> damage =
                    kept.isPresent() ? Optional.empty() : Optional.of(new RecordDamaged("unreadable"));
            return Optional.of(new PoolDirectory.Entry<>(id, kept, damage));
        });
    }

    private void put(String id, String name, long order) {
        files.put(
                id,
                Optional.of(Volume.created(
                        new Kept.Label(id, name, order), VolumeType.DIRECTORY, Optional.empty(), Volume.Shape.of(0))));
    }

    @Test
    void eachFileIsReadOnce() throws Exception {
        put("a", "one", 5);
        put("b", "two", 7);
        assertEquals(List.of("b"), look().named("two"));
        assertEquals(List.of("a", "b"), read);
        put("c", "three", 6);
        Labels.Look<Volume> now = look();
        assertEquals(List.of("c"), read);
        assertEquals(List.of("a"), now.named("one"));
        assertEquals(List.of("c"), now.named("three"));
        assertEquals(7, now.lastOrder());
    }

    @Test
    void whatHasGoneIsForgotten() throws Exception {
        put("a", "one", 5);
        assertEquals(5, look().lastOrder());
        files.remove("a");
        assertEquals(0, look().lastOrder());
        assertEquals(List.of(), look().named("one"));
    }

    @Test
    void whatCannotBeReadIsToldAndReadAgainEachTime() throws Exception {
        files.put("a", Optional.empty());
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    List.of("a"),
                    look().unread().stream().map(PoolDirectory.Entry::id).toList());
            assertEquals(List.of("a"), read);
        }
        put("a", "one", 5);
        assertEquals(List.of("a"), look().named("one"));
        assertEquals(List.of(), look().unread());
    }

    /** Several processes may serve a pool. */
    @Test
    void whatAnotherProcessMakesAndDeletesIsSeen(@TempDir Path directory) throws Exception {
        FakeTime time = new FakeTime();
        Pool one = Pool.open(directory.resolve("pool"), Optional.of("n1"), time, Ids.random());
        Pool other = Pool.open(directory.resolve("pool"), Optional.of("n2"), time, Ids.random());
        assertEquals(Optional.empty(), one.volumes().named("v"));
        Volume volume = Volume.created(
                other.label("v", other.volumes().lastOrder()),
                VolumeType.DIRECTORY,
                Optional.empty(),
                Volume.Shape.of(0));
        other.volumes().create(volume, DurableFiles::makeDirectory);
        assertEquals(Optional.of(volume), one.volumes().named("v"));
        other.volumes().delete(volume);
        assertEquals(Optional.empty(), one.volumes().named("v"));
        assertEquals(0, one.volumes().lastOrder());
    }
}
