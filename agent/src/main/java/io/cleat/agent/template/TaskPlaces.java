package io.cleat.agent.template;

import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Where a task's paths lie: its own directory is where relative ones begin, {@code /alloc} is what it shares with the
 * other tasks of its allocation. Nothing else can be named.
 *
 * @param root the directory of the allocation
 */
public record TaskPlaces(Path root, String task) {
    private static final String SHARED = "alloc";

    /**
     * @param path as the task knows it, or as a job file has it
     * @throws Refused it leads out of what is the task's
     */
    public Place of(String path) throws Refused {
        Deque<String> names = new ArrayDeque<>();
        String rest = path;
        if (path.startsWith(root + "/")) {
            rest = path.substring(root.toString().length());
        } else if (!isShared(path)) {
            names.add(task);
        }
        for (String name : rest.split("/", -1)) {
            if (name.equals("..") && names.pollLast() == null) {
                throw outside(path);
            }
            if (!name.isEmpty() && !name.equals(".") && !name.equals("..")) {
                names.add(name);
            }
        }
        List<String> plain = List.copyOf(names);
        boolean isMine = plain.size() > 1
                && (plain.getFirst().equals(task) || plain.getFirst().equals(SHARED));
        if (!isMine || TextPath.of(path).isEmpty()) {
            throw outside(path);
        }
        return new Place(root, String.join("/", plain));
    }

    private static boolean isShared(String path) {
        String relative = path.startsWith("/") ? path.substring(1) : path;
        return relative.startsWith(SHARED + "/");
    }

    private static Refused outside(String path) {
        return Arguments.wrong(
                TextRule.quoted(path) + " is no file of the task's: name one in local/, secrets/ or /alloc/");
    }
}
