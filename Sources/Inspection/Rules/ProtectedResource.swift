/// A resource of the user for which iOS asks permission, and the frameworks by which an app's use of it
/// is detected.
///
/// "Requesting access to protected resources" (UIKit): iOS shows the purpose string with its question,
/// and ends an app without one when it asks. An app may link a framework without using the resource, so
/// the certainty varies.
struct ProtectedResource: Sendable {
    /// Under which conditions an app that links the framework is certain to ask.
    enum Certainty: Sendable {
        /// Always: the framework is useless without the resource.
        case linked
        /// Unless the app also links this framework, whose views run in another process and need no
        /// permission.
        case linkedWithout(String)
        /// If the app has this entitlement, without which the framework does nothing.
        case entitled(String)
        /// Never: much of the framework needs no permission.
        case never
    }

    /// The framework's name in `/System/Library/Frameworks`.
    let framework: String
    /// The purpose keys in Info.plist; any one suffices, and the first is the usual one.
    let purposes: [String]
    /// What iOS asks for, as readers know it.
    let title: String
    let certainty: Certainty

    private init(
        _ framework: String,
        _ title: String,
        _ certainty: Certainty,
        _ purposes: String...,
    ) {
        self.framework = framework
        self.purposes = purposes
        self.title = title
        self.certainty = certainty
    }

    /// AVFoundation is left out: playing a sound and recording one need the same framework.
    static let all: [ProtectedResource] = [
        ProtectedResource("ARKit", "the camera", .linked, "NSCameraUsageDescription"),
        ProtectedResource(
            "AppTrackingTransparency",
            "leave to track",
            .never,
            "NSUserTrackingUsageDescription",
        ),
        ProtectedResource(
            "Contacts",
            "the contacts",
            .linkedWithout("ContactsUI"),
            "NSContactsUsageDescription",
        ),
        ProtectedResource(
            "CoreBluetooth",
            "Bluetooth",
            .linked,
            "NSBluetoothAlwaysUsageDescription",
        ),
        ProtectedResource(
            "CoreLocation",
            "the location",
            .never,
            "NSLocationWhenInUseUsageDescription",
            "NSLocationAlwaysAndWhenInUseUsageDescription",
            "NSLocationAlwaysUsageDescription",
            "NSLocationUsageDescription",
        ),
        ProtectedResource(
            "CoreMotion",
            "motion and fitness",
            .never,
            "NSMotionUsageDescription",
        ),
        ProtectedResource(
            "CoreNFC",
            "the NFC reader",
            .entitled("com.apple.developer.nfc.readersession.formats"),
            "NFCReaderUsageDescription",
        ),
        ProtectedResource(
            "EventKit",
            "calendars and reminders",
            .linkedWithout("EventKitUI"),
            "NSCalendarsFullAccessUsageDescription",
            "NSCalendarsWriteOnlyAccessUsageDescription",
            "NSCalendarsUsageDescription",
            "NSRemindersFullAccessUsageDescription",
            "NSRemindersUsageDescription",
        ),
        ProtectedResource(
            "HealthKit",
            "health data",
            .entitled("com.apple.developer.healthkit"),
            "NSHealthShareUsageDescription",
            "NSHealthUpdateUsageDescription",
            "NSHealthClinicalHealthRecordsShareUsageDescription",
        ),
        ProtectedResource(
            "HomeKit",
            "the home",
            .entitled("com.apple.developer.homekit"),
            "NSHomeKitUsageDescription",
        ),
        ProtectedResource(
            "LocalAuthentication",
            "Face ID",
            .never,
            "NSFaceIDUsageDescription",
        ),
        ProtectedResource(
            "MediaPlayer",
            "the music library",
            .never,
            "NSAppleMusicUsageDescription",
        ),
        ProtectedResource(
            "MusicKit",
            "Apple Music",
            .linked,
            "NSAppleMusicUsageDescription",
        ),
        ProtectedResource(
            "NearbyInteraction",
            "nearby devices",
            .linked,
            "NSNearbyInteractionUsageDescription",
            "NSNearbyInteractionAllowOnceUsageDescription",
        ),
        ProtectedResource(
            "Photos",
            "the photo library",
            .linkedWithout("PhotosUI"),
            "NSPhotoLibraryUsageDescription",
            "NSPhotoLibraryAddUsageDescription",
        ),
        ProtectedResource(
            "SensorKit",
            "research sensors",
            .entitled("com.apple.developer.sensorkit.reader.allow"),
            "NSSensorKitUsageDescription",
        ),
        ProtectedResource(
            "Speech",
            "speech recognition",
            .linked,
            "NSSpeechRecognitionUsageDescription",
        ),
    ]
}
