# Adapts one function of the module Shellwords: FUNCTION. Strings are taken for
# UTF-8, as a program's own are.
require 'shellwords'

role, kind, call = {
  'escape' => ['quoter', 't', ->(s) { Shellwords.escape(s) }],
  'split' => ['splitter', 'l', ->(s) { Shellwords.split(s).map { |w| "w #{w.bytesize}\n".b + w.b + "\n" }.join }],
}.fetch(ARGV[0])
$stdin.binmode
$stdout.binmode
$stdout.sync = true
$stdout.write("argvdiff-adapter 1 #{role} Shellwords.#{ARGV[0]} #{RUBY_VERSION}\n")
while (line = $stdin.gets)
  id, _, length = line.split
  text = $stdin.read(length.to_i + 1).chop.force_encoding('UTF-8')
  begin
    answer, body = kind, call.call(text)
  rescue ArgumentError => e
    answer, body = 'n', e.message
  end
  $stdout.write("#{id} #{answer} #{body.bytesize}\n".b + body.b + "\n")
end
