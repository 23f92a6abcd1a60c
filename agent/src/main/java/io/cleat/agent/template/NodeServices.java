package io.cleat.agent.template;

import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The services that the tasks of this node read, as a server has told them. They are kept in memory while their
 * allocations run, and nowhere else. Any thread.
 */
public final class NodeServices {
    /** Names that one allocation's templates may ask for. */
    private static final int MOST = 100;

    private record Reader(String allocId, String name) {}

    private final Consumer<ToServer> ask;
    private final AtomicLong numbers = new AtomicLong();

    /** The newest for each that has asked; empty until there is one. */
    private final Map<Reader, Optional<TaskServices.Answer>> answers = new ConcurrentHashMap<>();

    /** @param ask sends a message to a server, soon if there is one */
    public NodeServices(Consumer<ToServer> ask) {
        this.ask = ask;
    }

    /** A node whose servers tell of none. */
    public static NodeServices none() {
        return new NodeServices(message -> {});
    }

    /** Those that one allocation's tasks find. */
    public TaskServices of(String allocId) {
        return name -> {
            Reader reader = new Reader(allocId, name);
            Optional<TaskServices.Answer> known = answers.get(reader);
            if (known != null) {
                return known;
            }
            long others = answers.keySet().stream()
                    .filter(each -> each.allocId().equals(allocId))
                    .count();
            if (others >= MOST) {
                return Optional.of(new TaskServices.Answer(
                        0,
                        List.of(),
                        "an allocation's templates may read " + MOST + " services, and this is one more"));
            }
            if (answers.putIfAbsent(reader, Optional.empty()) == null) {
                ask.accept(new ToServer.ServicesWanted(allocId, name, true));
            }
            return answers.getOrDefault(reader, Optional.empty());
        };
    }

    /** Its tasks have ended. */
    public void forget(String allocId) {
        for (Reader reader : answers.keySet()) {
            if (reader.allocId().equals(allocId) && answers.remove(reader) != null) {
                ask.accept(new ToServer.ServicesWanted(allocId, reader.name(), false));
            }
        }
    }

    /** What a new link is to be asked for. */
    public List<ToServer> wanted() {
        return answers.keySet().stream()
                .<ToServer>map(reader -> new ToServer.ServicesWanted(reader.allocId(), reader.name(), true))
                .toList();
    }

    /** A server tells of one; nobody may want it any more. */
    public void hear(ToNode.ServicePlaces message) {
        answers.computeIfPresent(
                new Reader(message.allocId(), message.name()),
                (reader, before) -> before.filter(known -> known.places().equals(message.places())
                                        && known.fault().equals(message.fault()))
                                .isPresent()
                        ? before
                        : Optional.of(
                                new TaskServices.Answer(numbers.incrementAndGet(), message.places(), message.fault())));
    }
}
