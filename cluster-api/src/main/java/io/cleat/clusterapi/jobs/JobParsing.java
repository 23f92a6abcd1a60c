package io.cleat.clusterapi.jobs;

import io.cleat.api.Canonical;
import io.cleat.api.Job;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobValidation;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/**
 * Jobs that requests bring, to be read, validated or planned. What one takes is bounded by its reader; here it is
 * bounded how many are worked on at once. Any thread.
 */
final class JobParsing {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final RuntimeValues runtime;
    private final Semaphore places;

    JobParsing(Time time, Ids ids) {
        this(time, ids, places());
    }

    /** How many there are on this machine. */
    static int places() {
        return 2 * Runtime.getRuntime().availableProcessors();
    }

    /** @param places how many are read at once */
    JobParsing(Time time, Ids ids, int places) {
        this.runtime = new RuntimeValues(time, ids);
        this.places = new Semaphore(places);
    }

    /**
     * The job that a text describes.
     *
     * @throws Refused {@link Refusal.Malformed} with all its faults; {@link Refusal.Exhausted} if as many are read
     *     already as may be
     */
    Job parse(JobParseRequest request) throws Refused {
        try (Place _ = place()) {
            return read(request);
        }
    }

    /**
     * A place, which is given back by closing it: validating and planning a job that a request brings take as much work
     * as parsing one.
     *
     * @throws Refused {@link Refusal.Exhausted} if all are taken
     */
    Place place() throws Refused {
        if (!places.tryAcquire()) {
            throw new Refused(new Refusal.Exhausted("the queue of jobs to parse or plan", SOON));
        }
        return new Place();
    }

    /** One of so many. */
    final class Place implements AutoCloseable {
        private Place() {}

        @Override
        public void close() {
            places.release();
        }
    }

    private Job read(JobParseRequest request) throws Refused {
        Variables variables = request.Variables().isEmpty()
                ? Variables.none()
                : Variables.none().withFile(Source.of("input.vars", request.Variables()));
        Parsed<Job> parsed = JobFile.parse(Source.of("input.hcl", request.JobHCL()), variables, runtime);
        return switch (parsed) {
            case Parsed.Good<Job> good -> request.Canonicalize() ? Canonical.sent(good.value()) : good.value();
            case Parsed.Bad<Job> bad ->
                throw new Refused(new Refusal.Malformed("Failed to parse job: "
                        + bad.lines()
                        + bad.rest().map(JobParsing::rules).orElse("")));
        };
    }

    /** What else would be refused, so that all that is not supported is said at once. */
    private static String rules(Job rest) {
        return JobValidation.faults(Canonical.stored(rest)).stream()
                .map(fault -> "\n" + fault)
                .collect(Collectors.joining());
    }
}
