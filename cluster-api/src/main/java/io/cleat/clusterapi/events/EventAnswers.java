package io.cleat.clusterapi.events;

import io.cleat.api.Event;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.intake.RecentDecisions;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** The event stream over this member's own image. */
public final class EventAnswers {
    static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private final RecentDecisions recent;
    private final Time time;

    public EventAnswers(RecentDecisions recent, Time time) {
        this.recent = recent;
        this.time = time;
    }

    /** A reader that begins where the query says; nothing that comes after this call escapes it. */
    EventReader open(EventQuery query) {
        return new Reader(query, recent.reader(query.index()));
    }

    /** One stream. Events are made on its thread, so a reader pays for what it asked for. */
    private final class Reader implements EventReader {
        private final EventQuery query;
        private final RecentDecisions.Reader decisions;
        private Deadline heartbeat = Deadline.in(time, HEARTBEAT);

        Reader(EventQuery query, RecentDecisions.Reader decisions) {
            this.query = query;
            this.decisions = decisions;
        }

        @Override
        public Step next() throws InterruptedException {
            while (!heartbeat.isExpired()) {
                switch (decisions.next(heartbeat)) {
                    case RecentDecisions.Missed(long from, long to) -> {
                        return new Missed(from, to);
                    }
                    case RecentDecisions.Decided(var decision) -> {
                        Iterator<Event> events = events(decision);
                        if (events.hasNext()) {
                            return new Batch(decision.version(), events);
                        }
                    }
                    case RecentDecisions.Quiet _ -> {
                        // The heartbeat is due.
                    }
                }
            }
            heartbeat = Deadline.in(time, HEARTBEAT);
            return new Heartbeat();
        }

        private Iterator<Event> events(AppliedDecision<ClusterState, Change> decision) {
            List<EventView.Draft> drafts = EventView.of(decision);
            return drafts.stream()
                    .filter(draft -> query.wants(draft.about()))
                    .map(draft -> draft.about()
                            .with(decision.version(), draft.payload().apply(decision.after())))
                    .iterator();
        }
    }
}
