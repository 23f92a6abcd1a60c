# Two tasks of one allocation: the first makes a file every few seconds, the second gets a
# configuration rendered from it and reads it anew at each SIGHUP.
#
#   ./cleat job run examples/templates.nomad.hcl
#   ./cleat alloc logs -f ALLOC reader

variable "driver" {
  type    = string
  default = "raw_exec"
}

job "templates" {
  group "g" {
    task "maker" {
      driver = var.driver

      config {
        command = "/bin/sh"
        args    = ["-c", "n=0; while :; do n=$((n+1)); echo \"{\\\"round\\\": $n}\" >$NOMAD_ALLOC_DIR/data/new; mv $NOMAD_ALLOC_DIR/data/new $NOMAD_ALLOC_DIR/data/round.json; sleep 5; done"]
      }

      resources {
        cpu    = 20
        memory = 16
      }
    }

    task "reader" {
      driver = var.driver

      config {
        command = "/bin/sh"
        args    = ["-c", "trap 'cat $NOMAD_TASK_DIR/reader.conf' HUP; cat $NOMAD_TASK_DIR/reader.conf; while :; do sleep 1; done"]
      }

      template {
        destination = "local/reader.conf"
        data        = <<-EOF
          name  = {{ env "NOMAD_TASK_NAME" | toUpper }}
          round = {{ (file "/alloc/data/round.json" | parseJSON).round }}
          EOF
        change_mode   = "signal"
        change_signal = "SIGHUP"
        splay         = "1s"
      }

      resources {
        cpu    = 20
        memory = 16
      }
    }
  }
}
