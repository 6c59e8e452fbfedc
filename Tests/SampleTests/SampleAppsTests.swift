import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import Testing
import Zip

@Suite struct SampleAppsTests {
    private func built(
        _ recipe: (SigningAuthority, Date) -> IPABuilder
    ) throws -> (tree: SampleTree, info: PropertyList) {
        let tree = try recipe(try SigningAuthority.cached(), Moment.signing).tree()
        return (tree, try PropertyList(reading: try tree.bytes(of: "Info.plist")))
    }

    private func profile(_ tree: SampleTree) throws -> PropertyList {
        let message = try SignedMessage(reading: try tree.bytes(of: "embedded.mobileprovision"))
        return try PropertyList(reading: try #require(message.content), limits: .profile)
    }

    @Test func `Browsey has its seven keys and a full list of devices`() throws {
        let (tree, info) = try built { SampleApps.browsey(by: $0, at: $1) }
        #expect(info["CFBundleIdentifier"]?.string == "com.vforsh.browsey")
        for key in [
            "CFBundleDisplayName", "NSCameraUsageDescription", "NSLocalNetworkUsageDescription",
            "UILaunchScreen", "UISupportedInterfaceOrientations",
        ] {
            #expect(info[key] != nil, "\(key)")
        }
        #expect(info["NSBonjourServices"]?.strings == ["_browsey._tcp"])
        #expect(info["NSAppTransportSecurity"]?["NSAllowsLocalNetworking"]?.boolean == true)
        let devices = try #require(try profile(tree)["ProvisionedDevices"]?.strings)
        #expect(Set(devices).count == 100)
    }

    @Test(arguments: [SampleApps.Configuration.debug, .release])
    func `Pare differs in transport security and profile`(
        configuration: SampleApps.Configuration
    ) throws {
        let (tree, info) = try built { SampleApps.pare(configuration, by: $0, at: $1) }
        let isDebug = configuration == .debug
        #expect(info["NSAppTransportSecurity"]?["NSAllowsArbitraryLoads"]?.boolean == isDebug)
        #expect(info["UIDeviceFamily"]?.array == [.integer(1), .integer(2)])
        let entitlements = try profile(tree)["Entitlements"]
        #expect(entitlements?["get-task-allow"]?.boolean == isDebug)
    }

    @Test func `BrowserSelector is granted the managed entitlement that it claims`() throws {
        let (tree, info) = try built { SampleApps.browserSelector(by: $0, at: $1) }
        #expect(info["LSApplicationQueriesSchemes"]?.strings?.count == 21)
        let schemes = info["CFBundleURLTypes"]?.array?.first?["CFBundleURLSchemes"]?.strings
        #expect(schemes == ["http", "https"])
        let granted = try profile(tree)["Entitlements"]
        #expect(granted?["com.apple.developer.web-browser"]?.boolean == true)
        let executable = try tree.bytes(of: tree.executable)
        let signature = try #require(try EmbeddedSignature(of: executable))
        let xml = try #require(signature.blobs[5]).dropFirst(8)
        let claimed = try PropertyList(reading: Array(xml))
        #expect(claimed["com.apple.developer.web-browser"]?.boolean == true)
    }

    @Test func `SimBridge is two apps of one family`() throws {
        let client = try built { SampleApps.simBridgeClient(by: $0, at: $1) }.info
        let host = try built { SampleApps.simBridgeHost(by: $0, at: $1) }.info
        #expect(client["CFBundleIdentifier"]?.string == "com.example.simbridge.client")
        #expect(host["CFBundleIdentifier"]?.string == "com.example.simbridge.host")
        #expect(client["CFBundleShortVersionString"] == host["CFBundleShortVersionString"])
    }

    @Test func `Forks nests a widget, a share extension, a Live Activity and a watch app`() throws {
        let (tree, info) = try built { SampleApps.forks(by: $0, at: $1) }
        #expect(info["NSSupportsLiveActivities"]?.boolean == true)
        let nested = [
            "PlugIns/ForksWidget.appex": "com.example.forks.ForksWidget",
            "PlugIns/ForksShare.appex": "com.example.forks.ForksShare",
            "PlugIns/ForksLiveActivity.appex": "com.example.forks.ForksLiveActivity",
            "Watch/ForksWatch.app": "com.example.forks.watchkitapp",
            "Watch/ForksWatch.app/PlugIns/ForksComplication.appex":
                "com.example.forks.watchkitapp.ForksComplication",
        ]
        for (path, identifier) in nested {
            let info = try PropertyList(reading: try tree.bytes(of: "\(path)/Info.plist"))
            #expect(info["CFBundleIdentifier"]?.string == identifier)
            #expect(info["CFBundleShortVersionString"]?.string == "3.1.0")
            let message = try SignedMessage(
                reading: try tree.bytes(of: "\(path)/embedded.mobileprovision")
            )
            let list = try PropertyList(reading: try #require(message.content), limits: .profile)
            let granted = list["Entitlements"]?["application-identifier"]?.string
            #expect(granted == "OTASAMPLE1.\(identifier)")
        }
        let watch = try PropertyList(reading: try tree.bytes(of: "Watch/ForksWatch.app/Info.plist"))
        #expect(watch["WKCompanionAppBundleIdentifier"]?.string == "com.example.forks")
        #expect(watch["UIDeviceFamily"]?.array == [.integer(4)])
    }

    @Test func `sample devices look like devices and repeat`() {
        let devices = SampleDevices.list(100)
        #expect(devices == SampleDevices.list(100))
        #expect(!devices.contains(SampleDevices.unlisted))
        for device in devices {
            #expect(device.wholeMatch(of: /[0-9a-f]{40}|[0-9]{8}-[0-9A-F]{16}/) != nil)
        }
    }
}
