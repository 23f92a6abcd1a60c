@NullMarked
package io.cleat.server.commit;

import org.jspecify.annotations.NullMarked;
