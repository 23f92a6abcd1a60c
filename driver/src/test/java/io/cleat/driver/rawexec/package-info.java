/** Tests of the raw_exec driver's configuration. */
@NullMarked
package io.cleat.driver.rawexec;

import org.jspecify.annotations.NullMarked;
