package io.cleat.model;

import io.cleat.base.TextRule;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What may be a name. The same rule holds for what users, nodes and files name; docs/names.md states it for people. A
 * name that is stored follows it, or was stored before there was a rule: whoever makes a path of a name asks
 * {@link #isPart} again.
 */
public final class NameRule {
    /** Bytes of a name that becomes part of a file's name, with room for what is added to it: the kernel takes 255. */
    public static final int PART_BYTES = 128;

    /** Bytes of an id; a dispatched job's is its parent's with some 40 bytes more. */
    public static final int ID_BYTES = 255;

    /** The directory that the tasks of an allocation share lies beside theirs. */
    private static final String SHARED = "alloc";

    /**
     * What the directories begin with of tasks whose names were stored before there was a rule; see
     * {@code AllocationDirectory}.
     */
    private static final String OLDER = "task%20";

    private NameRule() {}

    /**
     * What is wrong with the name of a group, a task, a datacenter or a namespace: 1 to {@link #PART_BYTES} bytes of
     * UTF-8, one line, no slash of either kind, and neither {@code .} nor {@code ..}.
     *
     * @param what such as {@code task name}
     */
    public static Optional<String> partFault(String what, String name) {
        if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
            return fault(what, name, "holds a slash; use a dash instead");
        }
        return either(what, name, PART_BYTES);
    }

    /** What is wrong with the name of a task: as a group's, and not that of a path of ours. */
    public static Optional<String> taskFault(String name) {
        if (name.equals(SHARED)) {
            return fault(
                    "task name",
                    name,
                    "is the name of the directory that all tasks of an allocation share;"
                            + " choose another, such as \"main\"");
        }
        if (name.startsWith(OLDER)) {
            return fault(
                    "task name",
                    name,
                    "begins with \""
                            + OLDER
                            + "\", as the directories of tasks with older names do; choose another, such as \"main\"");
        }
        return partFault("task name", name);
    }

    /**
     * What is wrong with the id of a job, volume, plugin or snapshot: 1 to {@link #ID_BYTES} bytes of UTF-8, one line,
     * and no part between slashes that is {@code .} or {@code ..}.
     *
     * @param what such as {@code volume id}
     */
    public static Optional<String> idFault(String what, String id) {
        return either(what, id, ID_BYTES);
    }

    /** Whether a task's directory and files may be called so. */
    public static boolean isPart(String name) {
        return taskFault(name).isEmpty();
    }

    private static Optional<String> either(String what, String name, int most) {
        if (name.isEmpty()) {
            return Optional.of(what + " is empty");
        }
        for (String part : name.split("/", -1)) {
            if (part.equals(".") || part.equals("..")) {
                return fault(what, name, "has the part \"" + part + "\", which is a directory; rename it");
            }
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            return fault(what, name, "has " + bytes + " bytes; at most " + most + " are allowed");
        }
        return TextRule.lineFault(name).flatMap(fault -> fault(what, name, fault));
    }

    private static Optional<String> fault(String what, String name, String fault) {
        return Optional.of(what + " " + TextRule.quoted(name) + " " + fault);
    }
}
