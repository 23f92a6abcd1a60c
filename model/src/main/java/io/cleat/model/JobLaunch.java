package io.cleat.model;

import io.cleat.base.Since;
import java.util.List;

/** What has a job run, where that is not its registration: it has copies of itself run, or is one. */
public sealed interface JobLaunch {
    /**
     * A copy is run at each of some times.
     *
     * @param enabled whether it is
     * @param cron the times, as {@link CronTimes} reads them; empty where {@code crons} has them
     * @param crons likewise, several
     * @param prohibitOverlap whether a time passes at which an earlier copy still runs
     * @param timeZone of the times: a name of the time zone database
     */
    @Since(11)
    record Periodic(boolean enabled, String cron, List<String> crons, boolean prohibitOverlap, String timeZone)
            implements JobLaunch {
        public Periodic {
            crons = List.copyOf(crons);
        }

        /** Each of its times. */
        public List<String> allCrons() {
            return cron.isEmpty() ? crons : List.of(cron);
        }
    }

    /**
     * A copy is run each time that somebody asks for one.
     *
     * @param payload whether that one sends bytes along
     * @param metaRequired keys of {@code meta} that have to be sent along
     * @param metaOptional keys of {@code meta} that may be
     */
    @Since(11)
    record Parameterized(PayloadRule payload, List<String> metaRequired, List<String> metaOptional)
            implements JobLaunch {
        public Parameterized {
            metaRequired = List.copyOf(metaRequired);
            metaOptional = List.copyOf(metaOptional);
        }
    }

    /**
     * It is a copy.
     *
     * @param parent the id of the job that it is a copy of, in the same namespace
     * @param dispatched whether somebody asked for it
     * @param payload what was sent along, in base64; empty for nothing
     */
    @Since(11)
    record Child(String parent, boolean dispatched, String payload) implements JobLaunch {}
}
