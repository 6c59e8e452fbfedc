import CFuzzer
import Foundation

// libFuzzer ignores arguments with two dashes, which are this program's: `--kind=zip --seeds=Fuzzing/Seeds`.
if let folder = Arguments.seedsToWrite { Seeds.write(to: folder) }

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
let status = unsafe LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
    Session.current.kind.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
exit(status)
