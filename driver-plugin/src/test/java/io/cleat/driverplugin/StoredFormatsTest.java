package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** What is written down of driver plugins and their tasks is read for ever. */
class StoredFormatsTest {
    private static final KnownPlugin PLUGIN =
            new KnownPlugin(
                    "lxc",
                    new DriverCapabilities(
                            true, true, DriverCapabilities.Isolation.IMAGE, true, true));
    private static final TaskRecords.Stored TASK =
            new TaskRecords.Stored(
                    "alloc/web/00000001", "boot", "aGFuZGxl", new ExitResult(137, 9, true, 42));

    @Test
    void thePluginOfVersion1IsRead() throws Exception {
        byte[] now = KnownPlugin.FORMAT.encodeForFile(PLUGIN);
        assertEquals(
                PLUGIN,
                KnownPlugin.FORMAT.decode(new History("driver-plugin").sample("dplg-1", now)));
    }

    @Test
    void theTaskOfVersion1IsRead() throws Exception {
        byte[] now = TaskRecords.FORMAT.encodeForFile(TASK);
        assertEquals(
                TASK,
                TaskRecords.FORMAT.decode(new History("driver-plugin").sample("dtsk-1", now)));
    }

    @Test
    void hostileValuesAreReadBack_andDamageIsTrouble() throws Exception {
        HostileFormat.assertReadsBack(KnownPlugin.FORMAT, KnownPlugin.class, 300);
        HostileFormat.assertDamageIsTrouble(KnownPlugin.FORMAT, KnownPlugin.class, 300);
        HostileFormat.assertReadsBack(TaskRecords.FORMAT, TaskRecords.Stored.class, 300);
        HostileFormat.assertDamageIsTrouble(TaskRecords.FORMAT, TaskRecords.Stored.class, 300);
    }
}
