package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Marks of the machine that a node runs on. A copy of the node's data directory brings its id and secret to another
 * machine, but not these. A node says them among its attributes, so that programs that know nothing of them pass them
 * on.
 *
 * <p>Each mark is there only where it could be read.
 *
 * @param marks digests by name, see {@link #NAMES}; never what was read itself
 */
public record MachinePrint(Map<String, String> marks) {
    /** The machine's id that its operating system was given, {@code machine-id(5)}. */
    public static final String OS = "os";

    /** The board's or the virtual machine's id, as the DMI tables have it. */
    public static final String BOARD = "board";

    /** The serial number of the disk below the data directory. */
    public static final String DISK = "disk";

    /** The id of the file system that the data directory is in. */
    public static final String FILE_SYSTEM = "filesystem";

    /** The data directory's inode. */
    public static final String DIRECTORY = "directory";

    public static final List<String> NAMES = List.of(OS, BOARD, DISK, FILE_SYSTEM, DIRECTORY);

    private static final String PREFIX = "unique.machine.";

    public MachinePrint {
        marks = Ordered.copyOf(marks);
    }

    /** The marks that a node has said; none of one whose program knows none. */
    public static MachinePrint of(NodeFacts facts) {
        Map<String, String> marks = new TreeMap<>();
        for (String name : NAMES) {
            String mark = facts.attributes().get(PREFIX + name);
            if (mark != null) {
                marks.put(name, mark);
            }
        }
        return new MachinePrint(marks);
    }

    /** As attributes of a node. */
    public Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        marks.forEach((name, mark) -> attributes.put(PREFIX + name, mark));
        return attributes;
    }

    /** Other attributes with these marks in place of those that they have. */
    public Map<String, String> in(Map<String, String> attributes) {
        Map<String, String> changed = new TreeMap<>(attributes);
        NAMES.forEach(name -> changed.remove(PREFIX + name));
        changed.putAll(attributes());
        return changed;
    }

    /** Whether a mark that both have is different: then it is another machine, or a moved one. */
    public boolean differsFrom(MachinePrint other) {
        return !differences(other).isEmpty();
    }

    /** The names of the marks that both have and that are different. */
    public List<String> differences(MachinePrint other) {
        List<String> different = new ArrayList<>();
        for (String name : NAMES) {
            String own = marks.get(name);
            String others = other.marks.get(name);
            if (own != null && others != null && !own.equals(others)) {
                different.add(name);
            }
        }
        return different;
    }
}
