@NullMarked
package io.cleat.jobspec;

import org.jspecify.annotations.NullMarked;
