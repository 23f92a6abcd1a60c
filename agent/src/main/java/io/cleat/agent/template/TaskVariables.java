package io.cleat.agent.template;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The port for the variables of the cluster that one task may read. */
public interface TaskVariables {
    /** A task that may read none. */
    TaskVariables NONE = new TaskVariables() {
        @Override
        public String namespace() {
            return "";
        }

        @Override
        public List<String> paths() {
            return List.of();
        }

        @Override
        public Optional<Answer> answer() {
            return Optional.of(new Answer(Map.of(), ""));
        }
    };

    /**
     * What a server has answered last.
     *
     * @param byPath those that are there
     * @param fault why they cannot be read, for people; empty if they can
     */
    record Answer(Map<String, Variable> byPath, String fault) {
        public Answer {
            byPath = Ordered.copyOf(byPath);
        }
    }

    /**
     * A variable.
     *
     * @param version that last changed it; more than 0
     */
    record Variable(long version, Secrets items) {}

    /** The one namespace in which it may read. */
    String namespace();

    /** Where it may read, whether or not something is there. */
    List<String> paths();

    /** Empty until a server has answered; who asks first has one asked. */
    Optional<Answer> answer();
}
