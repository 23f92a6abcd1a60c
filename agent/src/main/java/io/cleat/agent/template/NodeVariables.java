package io.cleat.agent.template;

import io.cleat.model.JobSpec;
import io.cleat.model.OwnVariables;
import io.cleat.model.VariableId;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The variables that the tasks of this node read, as a server has told them. They are kept in memory while their tasks
 * run, and nowhere else: an agent that begins anew asks again. Any thread.
 */
public final class NodeVariables {
    private record Reader(String allocId, String task) {}

    private final Consumer<ToServer> ask;

    /** The newest for each that has asked; empty until there is one. */
    private final Map<Reader, Optional<TaskVariables.Answer>> answers = new ConcurrentHashMap<>();

    /** @param ask sends a message to a server, soon if there is one */
    public NodeVariables(Consumer<ToServer> ask) {
        this.ask = ask;
    }

    /** A node whose servers tell of none. */
    public static NodeVariables none() {
        return new NodeVariables(message -> {});
    }

    /** Those of one task. */
    public TaskVariables of(String allocId, JobSpec job, String group, String task) {
        List<VariableId> own = OwnVariables.of(job, group, task);
        Reader reader = new Reader(allocId, task);
        return new TaskVariables() {
            @Override
            public String namespace() {
                return own.getFirst().namespace();
            }

            @Override
            public List<String> paths() {
                return own.stream().map(VariableId::path).toList();
            }

            @Override
            public Optional<Answer> answer() {
                Optional<Answer> known = answers.putIfAbsent(reader, Optional.empty());
                if (known == null) {
                    ask.accept(wanted(reader, true));
                    return Optional.empty();
                }
                return known;
            }
        };
    }

    /** The task has ended. */
    public void forget(String allocId, String task) {
        Reader reader = new Reader(allocId, task);
        if (answers.remove(reader) != null) {
            ask.accept(wanted(reader, false));
        }
    }

    /** What a new link is to be asked for. */
    public List<ToServer> wanted() {
        return answers.keySet().stream()
                .<ToServer>map(reader -> wanted(reader, true))
                .toList();
    }

    /** A server tells those of one task; nobody may want them any more. */
    public void hear(ToNode.TaskVariables message) {
        Map<String, TaskVariables.Variable> byPath = new HashMap<>();
        for (ToNode.TaskVariable each : message.variables()) {
            byPath.put(each.path(), new TaskVariables.Variable(each.version(), each.items()));
        }
        answers.replace(
                new Reader(message.allocId(), message.task()),
                Optional.of(new TaskVariables.Answer(byPath, message.fault())));
    }

    private static ToServer.VariablesWanted wanted(Reader reader, boolean wanted) {
        return new ToServer.VariablesWanted(reader.allocId(), reader.task(), wanted);
    }
}
