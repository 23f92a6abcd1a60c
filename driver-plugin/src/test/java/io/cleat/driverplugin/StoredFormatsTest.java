package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What is written down of driver plugins and their tasks is read for ever. */
class StoredFormatsTest {
    @TempDir
    Path directory;

    private static final KnownPlugin PLUGIN = new KnownPlugin(
            "lxc", new DriverCapabilities(true, true, DriverCapabilities.Isolation.IMAGE, true, true), true, true);
    private static final TaskRecords.Stored TASK =
            new TaskRecords.Stored("alloc/web/00000001", "boot", "aGFuZGxl", new ExitResult(137, 9, true, 42));

    @Test
    void thePluginOfEachVersionIsRead() throws Exception {
        byte[] now = KnownPlugin.FORMAT.encodeForFile(PLUGIN);
        History history = new History("driver-plugin");
        assertEquals(PLUGIN, KnownPlugin.FORMAT.decode(history.sample("dplg-2", now)));
        // The first knew of no networks.
        assertEquals(
                new KnownPlugin(PLUGIN.name(), PLUGIN.capabilities(), false, false),
                KnownPlugin.FORMAT.decode(history.sample("dplg-1", now)));
    }

    @Test
    void theTaskOfVersion1IsRead() throws Exception {
        byte[] now = TaskRecords.FORMAT.encodeForFile(TASK);
        assertEquals(TASK, TaskRecords.FORMAT.decode(new History("driver-plugin").sample("dtsk-1", now)));
    }

    @Test
    void aDamagedFileIsNamedWithWhatItHolds() throws Exception {
        Path plugin = Files.writeString(directory.resolve("plugin"), "x");
        DiskTrouble name = assertThrows(DiskTrouble.class, () -> KnownPlugin.read(plugin));
        assertTrue(name.reason().contains(plugin + " cannot be used"), name.reason());
        assertTrue(name.reason().contains("the name of a driver plugin: delete it"), name.reason());
        Files.writeString(directory.resolve("alloc.web.00000001"), "x");
        TaskRecords records = new TaskRecords(directory);
        for (Executable asked : List.<Executable>of(() -> records.find("alloc/web/00000001"), records::all)) {
            DriverTrouble task = assertThrows(DriverTrouble.class, asked);
            assertTrue(task.reason().contains("end the task by hand"), task.reason());
        }
    }

    @Test
    void hostileValuesAreReadBack_andDamageIsTrouble() throws Exception {
        HostileFormat.assertReadsBack(KnownPlugin.FORMAT, KnownPlugin.class, 300);
        HostileFormat.assertDamageIsTrouble(KnownPlugin.FORMAT, KnownPlugin.class, 300);
        HostileFormat.assertReadsBack(TaskRecords.FORMAT, TaskRecords.Stored.class, 300);
        HostileFormat.assertDamageIsTrouble(TaskRecords.FORMAT, TaskRecords.Stored.class, 300);
    }
}
