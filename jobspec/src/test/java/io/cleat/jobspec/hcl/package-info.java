@NullMarked
package io.cleat.jobspec.hcl;

import org.jspecify.annotations.NullMarked;
