package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.MachinePrint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks of a machine whose files are in a directory. */
final class MachineMarksTest {
    @TempDir
    Path root;

    private Path data;

    @BeforeEach
    void makeMachine() throws IOException {
        data = Files.createDirectory(root.resolve("data"));
        write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
        write("sys/class/dmi/id/product_uuid", "1c2d3e4f-0000-0000-0000-000000000001\n");
        write("sys/devices/disk/sda/device/serial", "WD-1234\n");
        write("sys/devices/disk/sda/sda1/partition", "1\n");
        long device = (Long) Files.getAttribute(data, "unix:dev");
        link(
                "sys/dev/block/" + MachineMarks.major(device) + ":" + MachineMarks.minor(device),
                "sys/devices/disk/sda/sda1");
        write("dev/sda1", "");
        write("dev/sda2", "");
        link("dev/disk/by-uuid/aaaa-1", "dev/sda1");
        link("dev/disk/by-uuid/bbbb-2", "dev/sda2");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void link(String name, String to) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, root.resolve(to));
    }

    private MachinePrint read() {
        return MachineMarks.read(root, data, "node-1");
    }

    @Test
    void theSameMachine_hasTheSameMarks() {
        assertEquals(Set.copyOf(MachinePrint.NAMES), read().marks().keySet());
        assertEquals(read(), read());
    }

    @Test
    void whatWasRead_isNotInThem() {
        for (String mark : read().marks().values()) {
            assertTrue(mark.matches("[0-9a-f]{32}"), mark);
        }
        MachinePrint ofAnotherNode = MachineMarks.read(root, data, "node-2");
        assertEquals(MachinePrint.NAMES, read().differences(ofAnotherNode), "nor to be looked up");
    }

    @Test
    void aCopiedDirectory_differsByItself() throws IOException {
        MachinePrint before = read();
        Path copy = Files.createDirectory(root.resolve("copy"));
        assertEquals(List.of(MachinePrint.DIRECTORY), before.differences(MachineMarks.read(root, copy, "node-1")));
    }

    @Test
    void anotherMachine_differsInWhatItHas() throws IOException {
        MachinePrint before = read();
        write("etc/machine-id", "ffff456789abcdef0123456789abcdef\n");
        write("sys/class/dmi/id/product_uuid", "1c2d3e4f-0000-0000-0000-000000000002\n");
        write("sys/devices/disk/sda/device/serial", "WD-9999\n");
        Files.delete(root.resolve("dev/disk/by-uuid/aaaa-1"));
        link("dev/disk/by-uuid/cccc-3", "dev/sda1");
        assertEquals(
                List.of(MachinePrint.OS, MachinePrint.BOARD, MachinePrint.DISK, MachinePrint.FILE_SYSTEM),
                before.differences(read()));
    }

    @Test
    void aMarkThatCannotBeRead_isLeftOutAndDiffersFromNone() throws IOException {
        MachinePrint before = read();
        Files.delete(root.resolve("sys/class/dmi/id/product_uuid"));
        Files.delete(root.resolve("sys/devices/disk/sda/device/serial"));
        write("etc/machine-id", "uninitialized\n");
        MachinePrint after = read();
        assertEquals(
                Set.of(MachinePrint.FILE_SYSTEM, MachinePrint.DIRECTORY),
                after.marks().keySet());
        assertFalse(before.differsFrom(after));
    }

    @Test
    void deviceNumbers_areTakenApartAsTheCLibraryDoes() {
        assertEquals(8, MachineMarks.major(0x801));
        assertEquals(1, MachineMarks.minor(0x801));
        assertEquals(0x12008, MachineMarks.major(0x0001_2000_0000_0800L));
        assertEquals(0x12345, MachineMarks.minor(0x12300845L));
        assertEquals(8, MachineMarks.major(0x12300845L));
    }
}
