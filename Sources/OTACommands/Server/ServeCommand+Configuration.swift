import ArgumentParser
import Cryptography
import Foundation
import HTTPServing
import OTAServer
import ObjectStore
import Pages
import Releases
import Sandboxing
import Store
import TeamUpkeep
import Uploads

extension ServeCommand {
    /// The configuration for the options.
    func configuration(
        in context: CommandContext
    ) throws -> ServerConfiguration {
        let override = assets.map { URL(filePath: $0, directoryHint: .isDirectory) }
        var configuration = ServerConfiguration(assets: try Assets(override: override))
        configuration.openFiles = OpenFileLimit.raise()
        configuration.host = host
        configuration.port = port
        configuration.plainPort = noPlain ? nil : plainPort
        configuration.baseURL = baseURL
        if let certificate, let privateKey {
            configuration.certificate = CertificateFiles(chain: certificate, key: privateKey)
        }
        configuration.acme = try acmeOptions.settings()
        if let trustedDeviceCA {
            let further = try AnchorOptions.certificates(in: trustedDeviceCA)
            configuration.deviceAnchors = .appleDevices.adding(further)
        }
        configuration.otherHosts = alsoHost.map(\.name)
        configuration.trustedProxies = trustedProxy.reduce(into: []) { $0.formUnion($1.spellings) }
        configuration.capabilityLifetime = Int(linkLifetime.seconds)
        configuration.downloads = downloads ?? .server
        configuration.uploads.largest = largestUpload << 20
        configuration.program = Bundle.main.executablePath
        configuration.uploads.reserve = keepFree << 20
        configuration.clock = context.now
        configuration.keyFile = keyOptions.file(in: context)
        configuration.notices.mail = try mailOptions.server()
        configuration.apple = try appleOptions.connection()
        configuration.upkeep.gathering = gather.seconds
        configuration.leaseLife = Double(lease.seconds)
        configuration.drainTime = .seconds(drainTime?.seconds ?? 0)
        configuration.surroundings = context.environment
        return configuration
    }
}

extension ProxyAddress: TypedValue {
    init(typed text: String) throws {
        try self.init(text)
    }
}

extension ServedHost: TypedValue {
    init(typed text: String) throws {
        try self.init(text)
    }
}

extension DownloadPlace: TypedValue {
    init(typed text: String) throws {
        try self.init(text)
    }
}
