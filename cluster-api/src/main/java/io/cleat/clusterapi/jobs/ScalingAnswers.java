package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.Rows;
import io.cleat.api.ScalingPolicies;
import io.cleat.api.ScalingPolicy;
import io.cleat.api.ScalingPolicyStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.Optional;

/** Scaling policies over the server: those of the groups of all jobs. */
public final class ScalingAnswers {
    private static final Versions VERSION = Versions.of(TableName.JOBS);

    private final Readings readings;

    public ScalingAnswers(Readings readings) {
        this.readings = readings;
    }

    /**
     * By job, and then as the job names its groups.
     *
     * @param job an id; empty for all jobs
     * @param type of the policies; empty for any
     */
    public Answer<Rows<ScalingPolicyStub>> policies(ReadQuery query, String job, String type)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        boolean isNone = !type.isEmpty() && !type.equals(ScalingPolicies.HORIZONTAL);
        return new Answer<>(
                Rows.of(() -> state.scaling()
                        .policies()
                        .filter(policy -> !isNone && isOf(policy, query, job))
                        .map(ScalingAnswers::stub)),
                reading.meta());
    }

    private static boolean isOf(io.cleat.state.ScalingPolicy policy, ReadQuery query, String job) {
        JobId id = policy.job().id();
        return query.shown().has(id.namespace()) && (job.isEmpty() || job.equals(id.id()));
    }

    public Answer<Optional<ScalingPolicy>> policy(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(reading.state().scaling().policy(id).map(ScalingAnswers::whole), reading.meta());
    }

    private static ScalingPolicyStub stub(io.cleat.state.ScalingPolicy policy) {
        return new ScalingPolicyStub(
                policy.job().createVersion(),
                policy.scaling().enabled(),
                policy.id(),
                policy.job().jobModifyVersion(),
                ScalingPolicies.target(policy.job().id(), policy.group().name()),
                ScalingPolicies.HORIZONTAL);
    }

    private static ScalingPolicy whole(io.cleat.state.ScalingPolicy policy) {
        return ScalingPolicies.toJson(
                policy.job().id(),
                policy.group().name(),
                policy.scaling(),
                policy.job().createVersion(),
                policy.job().jobModifyVersion());
    }
}
