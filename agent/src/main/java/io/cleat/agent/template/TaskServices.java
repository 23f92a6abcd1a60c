package io.cleat.agent.template;

import io.cleat.wire.ToNode;
import java.util.List;
import java.util.Optional;

/** The port for the services that one allocation's tasks may find: those of its namespace. */
public interface TaskServices {
    /** A task that finds none. */
    TaskServices NONE = name -> Optional.of(new Answer(0, List.of(), ""));

    /**
     * What a server has answered last.
     *
     * @param number of the answer; another one where something is different
     * @param fault why it cannot be answered, for people; empty if it can
     */
    record Answer(long number, List<ToNode.ServicePlace> places, String fault) {
        public Answer {
            places = List.copyOf(places);
        }
    }

    /**
     * Where a service is; empty until a server has answered, and who asks first has one asked.
     *
     * @param name empty for a list of all, one place for each name
     */
    Optional<Answer> answer(String name);
}
