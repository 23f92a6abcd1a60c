package io.cleat.nodeapi;

import io.cleat.agent.check.CheckResult;
import io.cleat.agent.check.CheckResults;
import io.cleat.agent.volumes.VolumeUsage;
import io.cleat.api.AllocCheck;
import io.cleat.api.VolumeUse;
import io.cleat.model.OnUpdate;

/** Checks and volumes of an allocation, as the wire has them. */
final class AllocationShown {
    private AllocationShown() {}

    static AllocCheck check(String name, String allocId, CheckResults.Shown each) {
        CheckResult last = each.last();
        return new AllocCheck(
                each.key().check(),
                name,
                each.key().id(allocId),
                each.onUpdate() == OnUpdate.IGNORE ? "readiness" : "healthiness",
                last.output(),
                each.key().service(),
                last.status().wire(),
                last.code(),
                each.key().task().isEmpty() ? "(group)" : each.key().task(),
                last.at().getEpochSecond());
    }

    static VolumeUse use(VolumeUsage.Seen seen) {
        return new VolumeUse(
                seen.abnormal(),
                seen.bytes().map(AllocationShown::amount).orElse(null),
                seen.condition(),
                seen.inodes().map(AllocationShown::amount).orElse(null),
                seen.volume().namespace(),
                seen.trouble(),
                seen.volume().id());
    }

    private static VolumeUse.Amount amount(VolumeUsage.Amount amount) {
        return new VolumeUse.Amount(amount.available(), amount.total(), amount.used());
    }
}
