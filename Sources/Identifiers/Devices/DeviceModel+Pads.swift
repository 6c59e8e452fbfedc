extension DeviceModel {
    /// One name per line, a colon, and the product types with that name, Wi-Fi and cellular.
    static let pads = """
        iPad: iPad1,1
        iPad 2: iPad2,1 iPad2,2 iPad2,3 iPad2,4
        iPad (3rd generation): iPad3,1 iPad3,2 iPad3,3
        iPad (4th generation): iPad3,4 iPad3,5 iPad3,6
        iPad (5th generation): iPad6,11 iPad6,12
        iPad (6th generation): iPad7,5 iPad7,6
        iPad (7th generation): iPad7,11 iPad7,12
        iPad (8th generation): iPad11,6 iPad11,7
        iPad (9th generation): iPad12,1 iPad12,2
        iPad (10th generation): iPad13,18 iPad13,19
        iPad (A16): iPad15,7 iPad15,8
        iPad mini: iPad2,5 iPad2,6 iPad2,7
        iPad mini 2: iPad4,4 iPad4,5 iPad4,6
        iPad mini 3: iPad4,7 iPad4,8 iPad4,9
        iPad mini 4: iPad5,1 iPad5,2
        iPad mini (5th generation): iPad11,1 iPad11,2
        iPad mini (6th generation): iPad14,1 iPad14,2
        iPad mini (A17 Pro): iPad16,1 iPad16,2
        iPad Air: iPad4,1 iPad4,2 iPad4,3
        iPad Air 2: iPad5,3 iPad5,4
        iPad Air (3rd generation): iPad11,3 iPad11,4
        iPad Air (4th generation): iPad13,1 iPad13,2
        iPad Air (5th generation): iPad13,16 iPad13,17
        iPad Air 11-inch (M2): iPad14,8 iPad14,9
        iPad Air 13-inch (M2): iPad14,10 iPad14,11
        iPad Air 11-inch (M3): iPad15,3 iPad15,4
        iPad Air 13-inch (M3): iPad15,5 iPad15,6
        iPad Air 11-inch (M4): iPad16,8 iPad16,9
        iPad Air 13-inch (M4): iPad16,10 iPad16,11
        iPad Pro 9.7-inch: iPad6,3 iPad6,4
        iPad Pro 10.5-inch: iPad7,3 iPad7,4
        iPad Pro 11-inch: iPad8,1 iPad8,2 iPad8,3 iPad8,4
        iPad Pro 11-inch (2nd generation): iPad8,9 iPad8,10
        iPad Pro 11-inch (3rd generation): iPad13,4 iPad13,5 iPad13,6 iPad13,7
        iPad Pro 11-inch (4th generation): iPad14,3 iPad14,4
        iPad Pro 11-inch (M4): iPad16,3 iPad16,4
        iPad Pro 11-inch (M5): iPad17,1 iPad17,2
        iPad Pro 12.9-inch: iPad6,7 iPad6,8
        iPad Pro 12.9-inch (2nd generation): iPad7,1 iPad7,2
        iPad Pro 12.9-inch (3rd generation): iPad8,5 iPad8,6 iPad8,7 iPad8,8
        iPad Pro 12.9-inch (4th generation): iPad8,11 iPad8,12
        iPad Pro 12.9-inch (5th generation): iPad13,8 iPad13,9 iPad13,10 iPad13,11
        iPad Pro 12.9-inch (6th generation): iPad14,5 iPad14,6
        iPad Pro 13-inch (M4): iPad16,5 iPad16,6
        iPad Pro 13-inch (M5): iPad17,3 iPad17,4
        """
}
