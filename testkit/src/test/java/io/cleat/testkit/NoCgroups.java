package io.cleat.testkit;

import io.cleat.base.Deadline;
import io.cleat.kernel.Cgroups;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The control groups of a machine that has none. */
final class NoCgroups implements Cgroups {
    @Override
    public Layout layout() {
        return Layout.NONE;
    }

    @Override
    public String reason() {
        return "a test says so";
    }

    @Override
    public boolean limitsSwap() {
        return false;
    }

    @Override
    public Group create(String name) {
        return group(name);
    }

    @Override
    public Group group(String name) {
        return new NoGroup(name);
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public boolean removeParent() {
        return true;
    }

    private record NoGroup(String name) implements Group {
        @Override
        public String path() {
            return "/" + name;
        }

        @Override
        public List<Path> directories() {
            return List.of();
        }

        @Override
        public void add(long pid) {}

        @Override
        public void limit(Limits limits) {}

        @Override
        public List<Long> processes() {
            return List.of();
        }

        @Override
        public void killAll(Deadline deadline) {}

        @Override
        public Stats stats() {
            OptionalLong none = OptionalLong.empty();
            return new Stats(none, none, none, none, none);
        }

        @Override
        public void remove(Deadline deadline) {}
    }
}
