import Foundation
import OTACommands

@main
struct Main {
    static func main() async {
        exit(await OTA.run(Array(CommandLine.arguments.dropFirst())))
    }
}
