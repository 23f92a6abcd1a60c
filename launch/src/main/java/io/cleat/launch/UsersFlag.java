package io.cleat.launch;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.shim.IdRange;
import io.cleat.driver.shim.NumberedUsers;
import java.io.IOException;
import java.util.Optional;

/** Which user ids allocations get one each of, for their {@code exec} tasks that name no user. */
final class UsersFlag {
    private static final String NAME = "exec-users";

    static final Flag FLAG = Flag.value(
            NAME,
            "first-last",
            "User ids, and group ids, of which each allocation gets one for its exec tasks that name no user; "
                    + IdRange.USUAL
                    + " unless given. Agents of one machine are given ranges of their own.");

    private UsersFlag() {}

    /** The range, in which no user of this machine is, unless it is the usual one. */
    static IdRange read(Flags flags) throws Failure, DiskTrouble {
        Optional<String> given = flags.value(NAME);
        if (given.isEmpty()) {
            // Who is in it keeps his id, and no allocation gets it.
            return IdRange.USUAL;
        }
        IdRange range = IdRange.parse(given.get())
                .orElseThrow(() -> new Failure(
                        "-" + NAME + "=" + given.get() + " is no range of user ids",
                        "expected one such as " + IdRange.USUAL + ", from 1"));
        Optional<String> holder = users().holder(range);
        if (holder.isPresent()) {
            throw new Failure(
                    "-" + NAME + "=" + range + " holds ids of this machine's users: " + holder.get(),
                    "give ids that are nobody's, such as " + IdRange.USUAL);
        }
        return range;
    }

    private static NumberedUsers users() throws DiskTrouble {
        try {
            return NumberedUsers.ofThisMachine();
        } catch (IOException e) {
            throw new DiskTrouble("the users of this machine cannot be read: " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }
}
