package io.cleat.server.duty;

import io.cleat.base.Refusal;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Decision;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.Command;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers what a test says, and keeps what was asked. */
final class ScriptedDeciding implements Deciding {
    final List<Command<?>> asked = new ArrayList<>();
    private final Function<Command<?>, Answer<?>> answers;
    private final Supplier<ClusterState> image;
    boolean leadsElsewhere;
    private int ids;
    private Instant now = Instant.EPOCH;

    ScriptedDeciding(Function<Command<?>, Answer<?>> answers) {
        this(ClusterState::empty, answers);
    }

    ScriptedDeciding(Supplier<ClusterState> image, Function<Command<?>, Answer<?>> answers) {
        this.image = image;
        this.answers = answers;
    }

    /** Decides what it is asked, unless another member leads. */
    static ScriptedDeciding of(Cluster cluster) {
        return new ScriptedDeciding(cluster::state, command -> decided(cluster, command));
    }

    private static <R> Answer<R> decided(Cluster cluster, Command<R> command) {
        if (cluster.decide(command) instanceof Decision.Accept<Change, R> accept) {
            return new Answer.Accepted<>(accept.reply(), cluster.state().version());
        }
        throw new AssertionError("refused: " + command);
    }

    @Override
    public ClusterState newest() {
        return image.get();
    }

    @Override
    public Instant now() {
        return now;
    }

    ScriptedDeciding at(Instant time) {
        now = time;
        return this;
    }

    @Override
    @SuppressWarnings("unchecked") // The test gives the reply that belongs to the command.
    public <R> Answer<R> commit(Command<R> command) {
        asked.add(command);
        if (leadsElsewhere) {
            return new Answer.Rejected<>(new Refusal.NoLeader("elsewhere"), 1);
        }
        return (Answer<R>) answers.apply(command);
    }

    @Override
    public String seed() {
        return "seed-" + ids++;
    }
}
